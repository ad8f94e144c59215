import type { SchemaTypes } from './builder.ts';

type Types = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

/** The argument `after` of a subscription that `followEvents` delivers. */
export const afterEvent = (t: PothosSchemaTypes.SubscriptionFieldBuilder<Types, Types['Root']>) =>
  t.arg.id({
    description:
      'ID of the last event that you received, from `extensions.eventId`. The stream continues after it. By default, the stream starts with new events.',
  });

/** Says how such a subscription is resumed, as the last sentence of its description. */
export const RESUMES =
  'To resume after a disconnect without missing events, send the header `Last-Event-ID` or `after`.';
