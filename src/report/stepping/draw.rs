//! The view drawn: lanes side by side, time downwards, the source line, what is watched. On a small
//! terminal the parts below give way first.

use super::stepper::{KEYS, Mode, Stepper};
use super::timeline::Row;
use super::watch::variables_of;
use crate::report::render::explanation;
use crate::report::render::sources::{Sources, printable};
use crate::report::render::table::wrap;
use crate::report::render::threads::extents;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Wrap};

/// Below this nothing is drawn but a word.
pub const LEAST_WIDTH: u16 = 30;
/// As [`LEAST_WIDTH`], in rows.
pub const LEAST_HEIGHT: u16 = 6;

/// Marker, number, and the sign of a scheduling change.
const MARGIN: usize = 9;

/// Narrowest lane that is still readable.
const LEAST_LANE: usize = 24;
const WIDEST_LANE: usize = 44;

/// Colours, or only bold and dim where none are wanted.
#[derive(Clone, Copy, Debug)]
struct Inks {
    colour: bool,
}

impl Inks {
    fn of(self, colour: Color) -> Style {
        match self.colour {
            true => Style::new().fg(colour),
            false => Style::new(),
        }
    }

    fn now(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    fn bad(self) -> Style {
        self.of(Color::Red).add_modifier(Modifier::BOLD)
    }
}

/// Draws the view, and tells it how much is in sight.
pub fn draw(frame: &mut Frame<'_>, stepper: &mut Stepper<'_>, sources: &mut Sources, colour: bool) {
    let inks = Inks { colour };
    let area = frame.area();
    if area.width < LEAST_WIDTH || area.height < LEAST_HEIGHT {
        let text = format!("{LEAST_WIDTH}×{LEAST_HEIGHT} at least; q quits");
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    }
    let n_source: u16 = match area.height {
        0..=11 => 0,
        12..=17 => 3,
        18..=29 => 5,
        _ => 9,
    };
    let n_variables: u16 = u16::from(area.height >= 10);
    let n_watched = (stepper.watched.len() as u16).min(area.height / 4);
    let [
        title,
        head,
        rows,
        detail,
        source,
        variables,
        watched,
        bottom,
    ] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
        Constraint::Length(n_source),
        Constraint::Length(n_variables),
        Constraint::Length(n_watched),
        Constraint::Length(1),
    ])
    .areas(area);
    let width = lane_width(rows.width, stepper);
    stepper.page = rows.height as usize;
    frame.render_widget(title_line(stepper, inks), title);
    frame.render_widget(head_line(stepper, width, inks), head);
    frame.render_widget(row_lines(stepper, rows, width, inks), rows);
    frame.render_widget(detail_line(stepper, inks), detail);
    if n_source > 0 {
        frame.render_widget(source_lines(stepper, sources, n_source, inks), source);
    }
    if n_variables > 0 {
        frame.render_widget(variable_line(stepper, inks), variables);
    }
    frame.render_widget(watch_lines(stepper, inks), watched);
    frame.render_widget(bottom_line(stepper, bottom.width, inks), bottom);
    match stepper.mode {
        Mode::Help => front(frame, area, " keys ", help(), stepper),
        Mode::Explanation => {
            let lines = how(stepper, area.width);
            front(frame, area, " how it came about ", lines, stepper);
        }
        Mode::Steps | Mode::AsksWatch(_) | Mode::AsksStep(_) => {}
    }
}

/// Width of a lane; settles which lanes are in sight.
fn lane_width(width: u16, stepper: &mut Stepper<'_>) -> usize {
    let room = (width as usize).saturating_sub(MARGIN);
    let n_lanes = stepper.timeline.lanes.len().max(1);
    let fit = (room / LEAST_LANE).clamp(1, n_lanes);
    stepper.lanes_in_sight = fit;
    stepper.first_lane = stepper.first_lane.min(n_lanes - fit);
    (room / fit).min(WIDEST_LANE)
}

fn title_line(stepper: &Stepper<'_>, inks: Inks) -> Line<'static> {
    let witness = stepper.timeline.witness;
    let launch = witness
        .setup
        .launch
        .as_ref()
        .map_or(String::new(), |launch| {
            let (grid, block) = (extents(launch.grid), extents(launch.block));
            format!(", grid {grid}, block {block}")
        });
    let rest = format!(" of {} in {}{launch}", witness.entry, witness.file);
    Line::from(vec![
        Span::styled(witness.kind.name(), inks.bad()),
        Span::raw(printable(&rest)),
    ])
}

fn head_line(stepper: &Stepper<'_>, width: usize, inks: Inks) -> Line<'static> {
    let first = stepper.first_lane;
    let lanes = &stepper.timeline.lanes;
    let last = (first + stepper.lanes_in_sight).min(lanes.len());
    let hidden_left = if first > 0 { "◂" } else { " " };
    let mut spans = vec![Span::styled(
        format!("{:<MARGIN$}", format!(" step {hidden_left}")),
        inks.strong(),
    )];
    for lane in &lanes[first.min(last)..last] {
        let style = match lane.is_guilty {
            true => inks.bad(),
            false => inks.strong(),
        };
        spans.push(Span::styled(cut(&lane.name, width), style));
    }
    if last < lanes.len() {
        spans.push(Span::raw("▸"));
    }
    Line::from(spans)
}

fn row_lines(stepper: &Stepper<'_>, area: Rect, width: usize, inks: Inks) -> Paragraph<'static> {
    let height = area.height as usize;
    let n = stepper.n_rows();
    let centre = stepper.at.saturating_sub(1);
    let first = centre
        .saturating_sub(height / 2)
        .min(n.saturating_sub(height));
    let lines = (first..n.min(first + height)).map(|at| row_line(stepper, at, width, inks));
    Paragraph::new(lines.collect::<Vec<_>>())
}

fn row_line(stepper: &Stepper<'_>, at: usize, width: usize, inks: Inks) -> Line<'static> {
    let row: &Row = &stepper.timeline.rows[at];
    let is_now = at + 1 == stepper.at;
    let style = if is_now {
        inks.now()
    } else if at >= stepper.at {
        inks.faint()
    } else if row.is_conflict {
        inks.bad()
    } else {
        Style::new()
    };
    let marker = match (row.is_conflict, row.begins_cycle) {
        (true, _) => '!',
        (false, true) => '↻',
        (false, false) => ' ',
    };
    let change = if row.is_switch { '›' } else { ' ' };
    let margin = format!("{marker}{:>5} {change} ", at + 1);
    let in_sight = stepper.first_lane..stepper.first_lane + stepper.lanes_in_sight;
    let text = printable(&row.text);
    let rest = match row.lane {
        Some(lane) if in_sight.contains(&lane) => {
            let before = (lane - stepper.first_lane) * width;
            format!("{:before$}{}", "", cut(&text, width))
        }
        Some(lane) => format!("── {}: {text}", stepper.timeline.lanes[lane].name),
        None => format!("── {}: {text}", stepper.timeline.who(at)),
    };
    Line::from(vec![Span::styled(margin, style), Span::styled(rest, style)])
}

fn detail_line(stepper: &Stepper<'_>, inks: Inks) -> Line<'static> {
    let n = stepper.n_rows();
    let Some(row) = stepper.row() else {
        return Line::styled(format!("step 0 of {n}: the start"), inks.strong());
    };
    let text = &stepper.timeline.rows[row].text;
    let who = stepper.timeline.who(row);
    let step = format!("step {} of {n}: ", row + 1);
    let mut spans = vec![
        Span::styled(step, inks.strong()),
        Span::raw(printable(&format!("{who}: {text}"))),
    ];
    if stepper.timeline.rows[row].is_conflict {
        spans.insert(1, Span::styled("(conflict) ", inks.bad()));
    }
    Line::from(spans)
}

fn source_lines(
    stepper: &Stepper<'_>,
    sources: &mut Sources,
    height: u16,
    inks: Inks,
) -> Paragraph<'static> {
    let row = stepper.row().map(|row| &stepper.timeline.rows[row]);
    let place = row.filter(|row| row.line > 0);
    let Some(Row { file, line, .. }) = place else {
        return Paragraph::new("");
    };
    let name = Line::styled(format!("┄┄ {}:{line}", printable(file)), inks.faint());
    let around = u32::from(height).saturating_sub(2) / 2;
    let first = line.saturating_sub(around).max(1);
    let mut lines = vec![name];
    for number in first..first + u32::from(height) - 1 {
        let Some(text) = sources.line(file, number) else {
            break;
        };
        let (sign, style) = match number == *line {
            true => ('>', inks.strong()),
            false => (' ', inks.faint()),
        };
        lines.push(Line::styled(
            format!("{sign}{number:>4} {}", printable(text)),
            style,
        ));
    }
    Paragraph::new(lines)
}

fn variable_line(stepper: &Stepper<'_>, inks: Inks) -> Line<'static> {
    let Some(actor) = stepper.moved() else {
        return Line::raw("");
    };
    let row = stepper.row().unwrap_or(0);
    let found = variables_of(stepper.timeline.replay, stepper.n_taken(), actor);
    let texts: Vec<String> = found.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    let who = format!("{}: ", stepper.timeline.who(row));
    Line::from(vec![
        Span::styled(who, inks.strong()),
        Span::raw(printable(&texts.join(", "))),
    ])
}

fn watch_lines(stepper: &Stepper<'_>, inks: Inks) -> Paragraph<'static> {
    let replay = stepper.timeline.replay;
    let launch = stepper.timeline.witness.setup.launch.as_ref();
    let lines = stepper.watched.iter().map(|watch| {
        let seen = watch.after(replay, stepper.n_taken(), stepper.moved(), launch);
        let value = seen.value.unwrap_or_else(|| "nothing yet".to_owned());
        let style = match seen.is_new {
            true => inks.bad(),
            false => Style::new(),
        };
        Line::from(vec![
            Span::styled("watch ", inks.faint()),
            Span::styled(printable(&format!("{} = {value}", seen.name)), style),
        ])
    });
    Paragraph::new(lines.collect::<Vec<_>>())
}

fn bottom_line(stepper: &Stepper<'_>, width: u16, inks: Inks) -> Line<'static> {
    if let Some(message) = &stepper.message {
        return Line::styled(printable(message), inks.of(Color::Yellow));
    }
    match &stepper.mode {
        Mode::AsksWatch(text) => return Line::raw(format!("watch (a[3], i, b0.t1:i): {text}▏")),
        Mode::AsksStep(text) => return Line::raw(format!("step: {text}▏")),
        Mode::Steps | Mode::Help | Mode::Explanation => {}
    }
    if stepper.at == stepper.n_rows() && stepper.n_rows() > 0 {
        let replay = stepper.timeline.replay;
        let (word, style) = match replay.reproduced {
            true => ("reproduced", inks.bad()),
            false => ("not reproduced", inks.of(Color::Yellow)),
        };
        let conclusion = format!(": {}", printable(&replay.conclusion));
        return Line::from(vec![Span::styled(word, style), Span::raw(conclusion)]);
    }
    let keys =
        "n step  p back  s/S change  g/G start/end  c conflict  w watch  e why  h help  q quit";
    let short = "n/p step  s change  c conflict  h help  q quit";
    let text = match usize::from(width) >= keys.len() {
        true => keys,
        false => short,
    };
    Line::styled(text, inks.faint())
}

fn help() -> Vec<String> {
    let widest = KEYS.iter().map(|(keys, _)| keys.chars().count()).max();
    let width = widest.unwrap_or(0);
    let keys = KEYS
        .iter()
        .map(|(keys, does)| format!("{keys:width$}  {does}"));
    keys.collect()
}

/// The conclusion and what led there.
fn how(stepper: &Stepper<'_>, width: u16) -> Vec<String> {
    let replay = stepper.timeline.replay;
    let room = usize::from(width).saturating_sub(8).max(20);
    let mut lines = wrap(&printable(&replay.conclusion), room);
    for told in replay.explanation.iter().flat_map(explanation::lines) {
        for (at, part) in wrap(&printable(&told), room).into_iter().enumerate() {
            let sign = if at == 0 { "- " } else { "  " };
            lines.push(format!("{sign}{part}"));
        }
    }
    lines
}

/// Lines in a frame in front of everything.
fn front(
    frame: &mut Frame<'_>,
    area: Rect,
    title: &'static str,
    lines: Vec<String>,
    stepper: &mut Stepper<'_>,
) {
    let widest = lines.iter().map(|line| line.chars().count()).max();
    let width = (widest.unwrap_or(0) as u16 + 4).min(area.width);
    let height = (lines.len() as u16 + 2).min(area.height);
    let most = (lines.len() as u16 + 2).saturating_sub(height);
    stepper.scrolled = stepper.scrolled.min(most);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let lines: Vec<Line<'_>> = lines
        .into_iter()
        .map(|l| Line::raw(format!(" {l}")))
        .collect();
    let shown = Paragraph::new(lines)
        .block(Block::new().borders(Borders::ALL).title(title))
        .scroll((stepper.scrolled, 0));
    frame.render_widget(Clear, place);
    frame.render_widget(shown, place);
}

/// Exactly `width` columns: filled up, or cut with an ellipsis and a blank.
fn cut(text: &str, width: usize) -> String {
    let n = text.chars().count();
    if n < width {
        return format!("{text:width$}");
    }
    let kept: String = text.chars().take(width.saturating_sub(2)).collect();
    format!("{kept}… ")
}
