export function withTypeScript(command: string, load: () => Promise<unknown>): Promise<void>;
