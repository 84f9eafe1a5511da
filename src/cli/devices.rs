//! `gridlock devices`

use super::output::Output;
use gridlock::input::error::InputError;
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::render::table::table;
use gridlock::words::style::{Ink, Style};
use gridlock_lowering::device::{self, DeviceError, DeviceInfo};
use serde_json::json;

/// List the devices programs can be run on here, and why others cannot be used
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock devices
  gridlock devices --format json")]
pub struct Devices {}

impl Devices {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let listed = device::list();
        output.result(
            |_, style| text(&listed, style),
            || {
                let devices: Vec<&DeviceInfo> = listed.iter().flatten().collect();
                let missing: Vec<String> = listed
                    .iter()
                    .filter_map(|device| device.as_ref().err())
                    .map(ToString::to_string)
                    .collect();
                json!({ "devices": devices, "missing": missing })
            },
        );
        Ok(ExitStatus::Reached)
    }
}

fn text(listed: &[Result<DeviceInfo, DeviceError>], style: &Style) -> String {
    let rows: Vec<_> = listed
        .iter()
        .flatten()
        .map(|device| {
            let capability = match &device.compute_capability {
                Some(capability) => format!("{} (compute {capability})", device.name),
                None => device.name.clone(),
            };
            vec![
                (device.kind.name().to_owned(), Some(Ink::Strong)),
                (capability, None),
                (device.driver.clone(), None),
            ]
        })
        .collect();
    let mut out = table(&["--device", "name", "driver"], &rows, style);
    for error in listed.iter().filter_map(|device| device.as_ref().err()) {
        out.push_str(&gridlock::report::render::table::item(
            &error.to_string(),
            style,
        ));
    }
    out
}
