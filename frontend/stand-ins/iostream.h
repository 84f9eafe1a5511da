// Output that is read and given no meaning.
#pragma once
#ifdef __cplusplus
namespace std {
struct ostream {};
extern ostream cout, cerr;
struct end_of_line {};
extern end_of_line endl;
template <class T> ostream &operator<<(ostream &, const T &);
}
#endif
