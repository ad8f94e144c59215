export const BUNDLES: string;
export const PROGRAMS: readonly string[];
export function bundleDirectory(): string;
export function programUrl(name: string): string;
