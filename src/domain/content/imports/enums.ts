import { namedEnum } from '../../../platform/named-enum.ts';

export const severity = namedEnum('ImportReportSeverity', 'How much an entry of an import report matters.', {
  info: 'Taken in another form, or of no weight.',
  warning: 'Could not be taken as meant; look at it.',
});

export const outcome = namedEnum('ImportOutcome', 'What became of something that could not be taken as it was.', {
  kept: 'It stays as it was written.',
  changed: 'It is there in another form.',
  dropped: 'It is not there.',
});
