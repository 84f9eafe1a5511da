//! Launches that the file's own host code makes: what is said of them, and whether a defect needs one of them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where host code launches a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchSite {
    /// The function in which the launch stands.
    pub function: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
}

/// A launch of the host's, its numbers as expressions of the names in host code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostLaunch {
    /// Where it stands.
    #[serde(flatten)]
    pub site: LaunchSite,
    /// Whether all numbers are known, so that it is one launch.
    pub is_known: bool,
    /// Whether clang found an error in a function on the way to it, so that more may happen there than was read.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub in_part: bool,
    /// Blocks, by axis.
    pub grid: Vec<String>,
    /// Threads of a block, by axis.
    pub block: Vec<String>,
    /// Dynamic shared memory in bytes; absent where it is 0.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shared: Option<String>,
    /// Scalar arguments by parameter.
    pub args: BTreeMap<String, String>,
    /// What must be so for host code to come to the launch.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub conditions: Vec<String>,
}

/// What runs at launches of host code showed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostTried {
    /// Launches at which every schedule of the inputs tried was covered, or a defect shown.
    pub launches: u32,
    /// Those at which a defect of what was asked about was shown.
    pub failing: u32,
}

/// Who makes the launch at which a defect shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Caller {
    /// Host code of the file, for some arguments or results of libraries; with what it computes in ways that were
    /// not followed, too, where `is_certain` is false.
    HostCode {
        /// Where it stands.
        #[serde(flatten)]
        site: LaunchSite,
        /// Whether every number of the launch was followed back.
        is_certain: bool,
    },
    /// None of the launches in host code of the file is this one, whatever it leaves open. It says nothing of
    /// callers elsewhere.
    NoneInSight,
}
