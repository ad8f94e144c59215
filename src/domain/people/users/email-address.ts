import { z } from 'zod';

export const emailAddress = z
  .email('must be an email address such as ada@example.com')
  .max(254, 'must be at most 254 characters long')
  .meta({ scalar: 'EmailAddress' });

/** The domain of an email address in lowercase. Empty if the text is not an address. */
export const domainOfEmail = (email: string): string => {
  const at = email.lastIndexOf('@');
  return at < 0 ? '' : email.slice(at + 1).toLowerCase();
};
