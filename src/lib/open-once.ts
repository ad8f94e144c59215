/** Something that is opened when it is used first. */
export interface OpenedOnce<Value> {
  /** Opens it, unless it is open. If that fails, the next use tries again. */
  use(): Promise<Value>;
  /** The opened resource. Undefined if it was not used, or could not be opened. */
  opened(): Promise<Value | undefined>;
}

export function openOnce<Value>(open: () => Promise<Value>): OpenedOnce<Value> {
  let opening: Promise<Value> | undefined;
  return {
    async use() {
      opening ??= open();
      try {
        return await opening;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    async opened() {
      return opening?.catch(() => undefined);
    },
  };
}
