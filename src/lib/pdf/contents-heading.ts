/** By language. */
const CONTENTS: Record<string, string> = {
  ar: 'المحتويات',
  de: 'Inhalt',
  es: 'Contenido',
  fa: 'فهرست مطالب',
  fr: 'Sommaire',
  he: 'תוכן העניינים',
  it: 'Indice',
  ja: '目次',
  ko: '목차',
  nb: 'Innhold',
  nl: 'Inhoud',
  no: 'Innhold',
  pl: 'Spis treści',
  pt: 'Conteúdo',
  ru: 'Содержание',
  uk: 'Зміст',
  ur: 'فہرست',
  zh: '目录',
};

/** The title of the table of contents; in English for other languages. `language` is a BCP 47 tag. */
export function contentsHeading(language: string | undefined): string {
  const tag = language?.toLowerCase() ?? '';
  if (/^zh-(?:hant|tw|hk|mo)/.test(tag)) return '目錄';
  return CONTENTS[tag.split('-')[0] ?? ''] ?? 'Contents';
}
