import { makeGlossary } from '../../../../lib/translation/glossary.ts';
import { pseudoLocalize } from '../../../../lib/translation/pseudo-localize.ts';
import type { Provider } from './provider.ts';

const NO_TERMS = makeGlossary([]);

/** Pseudo-localization, which needs no other service. Terms of the glossary are placeholders when it sees them. */
export const embeddedProvider: Provider = {
  kind: 'embedded',
  name: 'embedded',
  maxSegments: 500,
  maxCharacters: 50_000,
  characterLimit: null,
  isRemote: false,
  translate: async (segments) => segments.map((segment) => pseudoLocalize(segment, NO_TERMS)),
};
