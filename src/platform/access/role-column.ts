import { p } from '@mikro-orm/core';
import { ROLES } from './roles.ts';

/** The column of a role. */
export const roleColumn = () => p.enum(ROLES).nativeEnumName('role');
