"""The report as one HTML file: no script, no request, and whatever a stranger wrote in it is text."""

from core.report.page.document import ReportInput, SkippedScenario, html_report

__all__ = ["ReportInput", "SkippedScenario", "html_report"]
