//! The model of a report says what its campaign says.

use tandem_harness::CellStatus;
use tandem_harness::report::json::report as text_of;
use tandem_harness::report::model::Counts;
use tandem_harness::report::{Inputs, Report};

use crate::sample;

#[test]
fn a_campaign_becomes_a_report_whose_counts_add_up() {
    let (suite, campaign) = (sample::suite(), sample::campaign());
    let report = Report::build(&Inputs::new(&suite, &campaign));
    let result = &report.result;
    assert_eq!(result.counts.cells, campaign.cells() as u64);
    assert_eq!(result.counts.green, campaign.count(CellStatus::Green) as u64);
    let Counts { cells, green, blocked, cited, unsupported, disputed, holes } = result.counts;
    let diverged = campaign.count(CellStatus::Diverged) as u64;
    assert_eq!(cells, green + blocked + cited + unsupported + disputed + holes + diverged);
    for unit in &result.units {
        let of = |counts: &Counts| {
            let Counts { cells, green, blocked, cited, unsupported, disputed, holes } = *counts;
            [cells, green, blocked, cited, unsupported, disputed, holes]
        };
        let classes = unit.classes.iter().map(|class| of(&class.counts));
        let sum = classes.fold([0; 7], |sum, class| std::array::from_fn(|place| sum[place] + class[place]));
        assert_eq!(sum, of(&unit.counts));
        assert_eq!(unit.hole_list.len() as u64, unit.counts.holes);
        assert_eq!(unit.map.statuses.len() as u64, unit.counts.cells);
    }
    assert_eq!((result.findings.len(), result.new_findings), (1, 1));
    let finding = &result.findings[0];
    assert_eq!(finding.replay, format!("tandem replay {}", finding.first));
    assert_eq!(finding.minimized.as_ref().expect("it has one").differences.len(), 1);
    assert_eq!(report.run.finding_levels[0].levels, ["high", "low"]);
}

#[test]
fn a_case_that_no_id_leads_back_to_is_replayed_by_its_file() {
    let (suite, mut campaign) = (sample::suite(), sample::campaign());
    campaign.findings[0].first.by_value = true;
    let replay = "tandem replay --target 'cmd:a b'".to_string();
    let inputs = Inputs { replay, findings: "'my out/findings'".to_string(), ..Inputs::new(&suite, &campaign) };
    let report = Report::build(&inputs);
    let command = "tandem replay --target 'cmd:a b' 'my out/findings'/001-first.json";
    assert_eq!(report.result.findings[0].replay, command);
}

#[test]
fn levels_stand_in_the_run_alone() {
    let (suite, campaign) = (sample::suite(), sample::campaign());
    let report = Report::build(&Inputs::new(&suite, &campaign));
    let text = text_of(&report);
    let (result, _) = text.split_once("\n  \"run\":").expect("a report has a run");
    assert!(!result.contains("\"high\"") && !result.contains("\"low\""), "{result}");
    assert_eq!(report.run.levels_run, ["low", "high"]);
}
