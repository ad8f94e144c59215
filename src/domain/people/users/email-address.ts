import { z } from 'zod';

export const emailAddress = z
  .email('must be an email address such as ada@example.com')
  .max(254, 'must be at most 254 characters long')
  .meta({ scalar: 'EmailAddress' });
