//! The scheme notation: what is printed is read back, what is wrong is named with its place.

mod mistakes;
mod roughened;
mod round_trip;
