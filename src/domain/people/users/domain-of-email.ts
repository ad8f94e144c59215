/** The domain of an email address in lowercase. Empty if the text is not an address. */
export const domainOfEmail = (email: string): string => {
  const at = email.lastIndexOf('@');
  return at < 0 ? '' : email.slice(at + 1).toLowerCase();
};
