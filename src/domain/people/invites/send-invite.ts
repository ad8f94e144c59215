import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { defineJob, type Job } from '../../../platform/jobs/job.ts';
import { newInviteSecret } from './invite-secret.ts';
import { type EmailInviteRow, inviterOf, linkOf, mayInviterInvite } from './load.ts';

const data = z.object({ inviteId: z.string() });

/**
 * Sends the email of an invitation, unless it was accepted, withdrawn or sent in the meantime, or its inviter has lost
 * access. If the process ends between sending and noting it, the email is sent again.
 */
export const sendInvite: Job<typeof data> = defineJob(
  'send-invite',
  data,
  async (ctx, { inviteId }) => {
    const { mailer } = ctx.services;
    const invite = await ctx.db
      .selectFrom('email_invite as i')
      .where('i.id', '=', inviteId)
      .where(mayInviterInvite())
      .selectAll('i')
      .executeTakeFirst();
    if (!mailer || !invite || invite.sentAt !== null || invite.expiresAt <= nowOf(ctx)) return;
    await mailer.send({ to: invite.email, ...(await letterOf(ctx, invite)) });
    await ctx.db
      .updateTable('email_invite')
      .set({ sentAt: nowOf(ctx) })
      .where('id', '=', inviteId)
      .execute();
  },
  { concurrency: 4, concurrencyPerGroup: 2, expiresIn: 120 },
);

/** The link of an invitation. A secret that cannot be read is replaced: the person does not have it yet. */
async function sendableLink(ctx: Context, invite: EmailInviteRow): Promise<string> {
  const existingLink = linkOf(ctx, invite);
  if (existingLink !== null) return existingLink;
  const renewed = newInviteSecret(ctx.services, invite.id);
  await ctx.db.updateTable('email_invite').set(renewed).where('id', '=', invite.id).execute();
  const link = linkOf(ctx, { ...invite, ...renewed });
  if (link === null) throw new Error('A secret that was just encrypted cannot be read.');
  return link;
}

async function letterOf(ctx: Context, invite: EmailInviteRow) {
  const [organization, inviter] = await Promise.all([
    ctx.db.selectFrom('organization').where('id', '=', invite.organizationId).select('title').executeTakeFirst(),
    inviterOf(ctx, invite.invitedBy),
  ]);
  const title = organization?.title ?? 'an organization';
  const who = inviter ? `${inviter} has invited you` : 'You have been invited';
  const link = await sendableLink(ctx, invite);
  const paragraphs = [
    `${who} to join ${title} on Stemma.`,
    `Open this link to accept the invitation. It is valid until ${invite.expiresAt.slice(0, 10)} and can be used once:`,
    { link },
    'If you did not expect this email, you can ignore it.',
  ];
  return { subject: `Invitation to ${title}`, paragraphs };
}
