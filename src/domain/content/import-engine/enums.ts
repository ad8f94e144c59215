import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const severity = namedEnum('ImportReportSeverity', 'Severity of an entry in an import report.', {
  info: 'For information only. No action is needed.',
  warning: 'A part of the source could not be imported as intended and should be checked.',
});

export const outcome = namedEnum(
  'ImportOutcome',
  'How an import treated a part of the source that it could not import unchanged.',
  {
    kept: 'Kept as written in the source.',
    changed: 'Imported in a different form.',
    dropped: 'Not imported.',
  },
);
