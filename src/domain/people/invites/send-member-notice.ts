import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { defineJob, type Job } from '../../../platform/jobs/job.ts';
import { anHourAgo } from './an-hour-ago.ts';
import { inviterOf } from './load.ts';

const data = z.object({ organizationId: z.string(), userId: z.string(), invitedBy: z.string() });

/**
 * Tells the verified address of a user who was invited and has an account where to sign in, unless the user has left,
 * or has become a member more than once within the last hour.
 */
export const sendMemberNotice: Job<typeof data> = defineJob(
  'send-member-notice',
  data,
  async (ctx, { organizationId, userId, invitedBy }) => {
    const { mailer, config } = ctx.services;
    const member = await ctx.db
      .selectFrom('membership as m')
      .innerJoin('user as u', 'u.id', 'm.userId')
      .innerJoin('organization as o', 'o.id', 'm.organizationId')
      .where('m.organizationId', '=', organizationId)
      .where('m.userId', '=', userId)
      .select(['u.email', 'o.title'])
      .executeTakeFirst();
    if (!mailer || !member || member.email === null) return;
    if (await hasJoinedTwice(ctx, organizationId, userId)) return;
    const inviter = await inviterOf(ctx, invitedBy);
    await mailer.send({
      to: member.email,
      subject: `Invitation to ${member.title}`,
      paragraphs: [
        `${inviter ? `${inviter} has invited you` : 'You have been invited'} to ${member.title} on Stemma. You are a member with the account that you have.`,
        'Sign in here:',
        { link: `${config.publicUrl}/account` },
        'If you did not expect this email, you can ignore it.',
      ],
    });
  },
  { concurrency: 4, concurrencyPerGroup: 2, expiresIn: 120 },
);

/** Whether a user has become a member of an organization more than once within the last hour. */
async function hasJoinedTwice(ctx: Context, organizationId: string, userId: string): Promise<boolean> {
  const { joined } = await ctx.db
    .selectFrom('event')
    .where('organizationId', '=', organizationId)
    .where('kind', '=', 'member_joined')
    .where('createdAt', '>', anHourAgo(ctx))
    .where(sql<boolean>`ids @> ${JSON.stringify({ userId })}::jsonb`)
    .select((event) => event.fn.countAll<number>().as('joined'))
    .executeTakeFirstOrThrow();
  return joined > 1;
}
