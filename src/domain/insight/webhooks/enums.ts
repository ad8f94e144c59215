import type { z } from 'zod';
import { namedEnum } from '../../../platform/named-enum.ts';

export const deliveryStatus = namedEnum('WebhookDeliveryStatus', 'What became of a delivery.', {
  pending: 'It was not tried yet, or is to be tried again.',
  succeeded: 'The receiver answered with a status of 200 to 299.',
  failed: 'It failed as often as it may, or in a way that trying again would not help.',
});

export type DeliveryStatus = z.infer<typeof deliveryStatus>;
