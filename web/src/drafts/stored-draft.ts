/** A text that the service has not acknowledged, as this browser stores it. */
export interface StoredDraft {
  text: string;
  /** What the text was written upon, such as the revision of a page. */
  base?: string | undefined;
  /**
   * What was sent and not yet acknowledged. It is sent again as it is: the same key with another input is a CONFLICT.
   */
  pending?: Pending | undefined;
}

export interface Pending {
  text: string;
  base?: string | undefined;
  idempotencyKey: string;
}

const PREFIX = 'stemma:draft:';

export function readDraft(name: string): StoredDraft | undefined {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? undefined : (JSON.parse(text) as StoredDraft);
  } catch {
    return undefined;
  }
}

/** Browsers without storage keep the text as long as the page is open. */
export function writeDraft(name: string, draft: StoredDraft | undefined): void {
  try {
    if (draft) localStorage.setItem(PREFIX + name, JSON.stringify(draft));
    else localStorage.removeItem(PREFIX + name);
  } catch {
    // The storage is full or turned off.
  }
}

/** The rest of the names of drafts that begin like this. */
export function draftsNamed(beginning: string): string[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
    return keys.flatMap((key) =>
      key.startsWith(PREFIX + beginning) ? [key.slice(PREFIX.length + beginning.length)] : [],
    );
  } catch {
    return [];
  }
}

/** A key for an idempotent mutation. `crypto.randomUUID` exists on secure origins only. */
export const makeKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
