//! Recordings of runs on real devices: written where the device is, replayed against today's
//! semantics everywhere. Never edited by hand.
