import { z } from 'zod';
import type { Context } from '../../../../platform/context/context.ts';
import { askProvider, type RemoteSettings } from './http.ts';
import { fromMarkup, toMarkup } from './markup.ts';
import type { Provider } from './provider.ts';

const libretranslateResponse = z.object({ translatedText: z.array(z.unknown()) });

/** Codes of LibreTranslate that differ from ours. */
const CODES: Record<string, string> = { 'pt-br': 'pt-BR', 'zh-tw': 'zt', no: 'nb' };

/** A LibreTranslate server: https://docs.libretranslate.com. It takes no instructions. */
export function libreTranslateProvider(ctx: Context, { url, apiKey, characterLimit }: RemoteSettings): Provider {
  const base = (url ?? '').replace(/\/$/, '');
  return {
    kind: 'libretranslate',
    name: `libretranslate ${base}`,
    maxSegments: 50,
    maxCharacters: 10_000,
    characterLimit,
    isRemote: true,
    async translate(segments, { from, to, signal }) {
      const { translatedText } = await askProvider(
        ctx,
        {
          url: `${base}/translate`,
          body: {
            q: segments.map(toMarkup),
            source: CODES[from] ?? from,
            target: CODES[to] ?? to,
            format: 'html',
            ...(apiKey !== null && { api_key: apiKey }),
          },
          signal,
        },
        libretranslateResponse,
      );
      return segments.map((segment, index) => fromMarkup(segment, translatedText[index]));
    },
  };
}
