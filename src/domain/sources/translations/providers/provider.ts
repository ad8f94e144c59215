import type { Languages } from '../../../../lib/translation/cut-document.ts';
import type { ProviderKind } from '../enums.ts';

/** Input for a provider, besides the segments. */
export interface TranslationRequest extends Languages {
  /** As Markdown. Empty if there are none. */
  instructions: string;
  signal: AbortSignal;
}

/** Translates segments: texts with placeholders (`lib/translation/coded-text.ts`). */
export interface Provider {
  kind: ProviderKind;
  /** Identifies in the translation memory what gives the translations: kind, URL and model. */
  name: string;
  /** Limits of one request. */
  maxSegments: number;
  maxCharacters: number;
  /** Maximum number of characters that are sent in a calendar month. Null for no limit. */
  characterLimit: number | null;
  /** Whether requests leave the service, and count. */
  isRemote: boolean;
  /**
   * The translations in the order of the segments. What is no text, or not usable, is for the caller to find. Throws a
   * `ProviderError` if there is no response.
   */
  translate(segments: readonly string[], question: TranslationRequest): Promise<readonly unknown[]>;
}

/** A provider did not answer a request. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  /** Whether the same request may be answered later. */
  readonly isTransient: boolean;
  /** Whether the provider has answered something that cannot be used, so that the request counts. */
  readonly isAnswered: boolean;
  constructor(message: string, isTransient: boolean, isAnswered = false) {
    super(message);
    this.isTransient = isTransient;
    this.isAnswered = isAnswered;
  }
}
