/** Commands that record no event, and why. */
export const SILENT: Record<string, string> = {
  retryDeadJobs: 'an operator gives a job back to its queue, and what the job does is recorded by the job',
  redeliverWebhookEvent: 'it sends an event that is recorded already, and the log of deliveries says so',
  pingOrganization: 'frontends ping all the time, and the member has the time of the last activity',
  trackSiteEvents: 'it counts what visitors do, and an event for each visit would be a log of visitors',
  previewGitConnection: 'it starts a run, whose request is recorded',
  createUpload: 'only its creator can use an upload, and what uses it records what it did',
};
