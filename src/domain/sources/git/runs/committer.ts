/** Committer of this service. Imports recognize its commits by the address. */
export const COMMITTER = { name: 'Stemma', email: 'git@stemma.invalid' };
