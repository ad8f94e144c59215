/** Bundles the web application into `dist/web/`, unless it was built from the same sources and packages. */
export function buildWeb(): Promise<void>;
