import { z } from 'zod';
import type { Context } from '../../../../platform/context/context.ts';
import { askProvider, type RemoteSettings } from './http.ts';
import { fromMarkup, toMarkup } from './markup.ts';
import type { Provider } from './provider.ts';

const deeplResponse = z.object({ translations: z.array(z.object({ text: z.unknown() })) });

/** Codes of DeepL that differ from the upper case of ours. */
const SOURCES: Record<string, string> = { 'pt-br': 'PT', 'zh-tw': 'ZH', no: 'NB' };
const TARGETS: Record<string, string> = {
  en: 'EN-US',
  pt: 'PT-PT',
  'pt-br': 'PT-BR',
  zh: 'ZH-HANS',
  'zh-tw': 'ZH-HANT',
  no: 'NB',
};

/** The DeepL API: https://developers.deepl.com/docs/api-reference/translate. Keys of the free plan end in `:fx`. */
export function deeplProvider(ctx: Context, { url, apiKey, characterLimit }: RemoteSettings): Provider {
  const key = apiKey ?? '';
  const base = url ?? (key.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com');
  return {
    kind: 'deepl',
    name: `deepl ${base}`,
    maxSegments: 50,
    maxCharacters: 60_000,
    characterLimit,
    isRemote: true,
    async translate(segments, { from, to, instructions, signal }) {
      const { translations } = await askProvider(
        ctx,
        {
          url: `${base.replace(/\/$/, '')}/v2/translate`,
          headers: { authorization: `DeepL-Auth-Key ${key}` },
          body: {
            text: segments.map(toMarkup),
            source_lang: SOURCES[from] ?? from.toUpperCase(),
            target_lang: TARGETS[to] ?? to.toUpperCase(),
            tag_handling: 'xml',
            split_sentences: '0',
            ...(instructions !== '' && { context: instructions }),
          },
          signal,
        },
        deeplResponse,
      );
      return segments.map((segment, index) => fromMarkup(segment, translations[index]?.text));
    },
  };
}
