export const STATUSES = ['OPEN', 'DRAFT', 'MERGED', 'ARCHIVED', 'ALL'] as const;
export type Status = (typeof STATUSES)[number];
