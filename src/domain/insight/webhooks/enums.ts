import type { z } from 'zod';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const deliveryStatus = namedEnum('WebhookDeliveryStatus', 'Status of the delivery of an event.', {
  pending: 'The delivery has not been attempted yet, or will be retried.',
  succeeded: 'The receiver responded with a status from 200 to 299.',
  failed: 'The last retry failed, or the error was not temporary.',
});

export type DeliveryStatus = z.infer<typeof deliveryStatus>;
