import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const emailVerification = namedEnum(
  'EmailVerification',
  'Step that verifies an email address that a user has set.',
  {
    sent: 'A link was sent to the address. The user opens it within 24 hours, or sets the address again.',
    'awaits-operator': 'The service has no mail server. An operator of the service confirms the address.',
  },
);
