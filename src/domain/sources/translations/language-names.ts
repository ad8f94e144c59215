import { declarationOf } from '../../../platform/shapes/named-enum.ts';
import { type TranslationLanguage, translationLanguage } from '../../places/spaces/index.ts';

/** Names of languages in English. */
export const languageNames = Object.fromEntries(
  Object.entries(declarationOf(translationLanguage)?.values ?? {}).map(([code, name]) => [
    code,
    name.replace(/\.$/, ''),
  ]),
) as Record<TranslationLanguage, string>; // of all values
