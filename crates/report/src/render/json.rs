//! Documents as JSON (docs/interface.md): keys are only ever added.

use crate::document::Document;

/// One JSON document, ending in a newline.
pub(crate) fn text(document: Document<'_>) -> String {
    // Serialising strings and numbers into memory cannot fail.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::mutants::{AuditBaseline, MutantReport, MutantResult};

    #[test]
    fn a_document_is_its_report() {
        let tried = MutantResult { tests: 1, selected_class: 1, ..MutantResult::default() };
        let report = MutantReport::new("0", false, AuditBaseline::default(), vec![tried]);
        let text = text(Document::Mutants(&report));
        assert!(
            text.starts_with("{\n  \"format\": 1,\n  \"tamis\": \"0\",\n  \"audit\": \"mutants\""),
            "{text}"
        );
        assert!(text.contains("\"selected_class_share\": 1.0") && text.ends_with("}\n"), "{text}");
    }
}
