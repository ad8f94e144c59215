import { groupIssues } from '../../../src/domain/insight/conversations/group-issues.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import type { World } from '../../world.ts';

/** A conversation to ingest. */
export const asked = (id: string, body: string, more: Record<string, unknown> = {}) => ({
  id,
  parts: [{ type: 'message', role: 'user', body }],
  ...more,
});

/** Runs the job that finds and groups issues. */
export const grouped = ({ app, organizationId }: Pick<World, 'app' | 'organizationId'>, isComplete = false) =>
  groupIssues.run(
    jobContext(app.services, 'test'),
    { organizationId, isComplete },
    { signal: new AbortController().signal, retries: 0 },
  );

/** Questions on three topics, four each. */
export const QUESTIONS = [
  'I forgot my password and the reset email never arrives',
  'The password reset email does not arrive, not even in spam',
  'Password reset link in the email has expired',
  'How can I reset a forgotten password without the email link?',
  'The invoice shows the wrong VAT number of our company',
  'Please add our VAT number to the invoice',
  'Our accountant needs the VAT number on every invoice',
  'Can I change the VAT number on an old invoice?',
  'Export to PDF cuts off the images',
  'Images are missing in the PDF export',
  'PDF export of a page without images works, with images it fails',
  'The exported PDF has blurry images',
];
