import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { searched, spaceWith, titles } from './arrange.ts';

const { creator, reader, organizationId } = await world();

const spaceOf = async (language: string, pages: Record<string, string>) => {
  const written = Object.entries(pages).map(([title, markdown]) => ({ title, markdown }));
  return (await spaceWith(creator, organizationId, written, { language })).spaceId;
};

const english = await spaceOf('en', {
  Policies: 'Installed agents are running.',
  'Release notes': 'See `updateSpaceContent` and space_id, version 2.4.',
  Café: 'Naïve coöperation.',
});
const german = await spaceOf('de', {
  Häuser: 'Die Einstellungen der Straße.',
  Anleitung: 'Wie man Dateien überschreibt.',
});
const russian = await spaceOf('ru', { Страницы: 'Настройка нового сервера и ёлки.' });
const greek = await spaceOf('el', { Σελίδες: 'Η ρύθμιση των διακομιστών.' });
const japanese = await spaceOf('ja', {
  設定ファイル: 'サーバーの使い方を説明します。\n\n## 東京都の設定\n\nGraphQLの例です。',
  京都: '古い東京。',
});
const chinese = await spaceOf('zh', { 快速开始: '本文介绍如何安装服务器。\n\n## 配置文件\n\n保存设置。' });
const korean = await spaceOf('ko', { '시작 안내': '문서를 저장하는 방법입니다.' });
const thai = await spaceOf('th', { เริ่มต้นใช้งาน: 'การตั้งค่าเซิร์ฟเวอร์' });

test.each([
  ['another form of the word', english, 'policy', 'Policies'],
  ['another form of a word in the body', english, 'run agent', 'Policies'],
  ['stop words beside others', english, 'how to run the agents', 'Policies'],
  ['a part of a name in camel case', english, 'space', 'Release notes'],
  ['a name in camel case', english, 'updatespacecontent', 'Release notes'],
  ['a name with an underscore', english, 'space_id', 'Release notes'],
  ['a version', english, '2.4', 'Release notes'],
  ['accents left out', english, 'cafe cooperation', 'Café'],
  ['accents in capitals', english, 'NAÏVE', 'Café'],
  ['a German singular', german, 'Haus', 'Häuser'],
  ['a German singular in the body', german, 'Einstellung', 'Häuser'],
  ['ss for ß', german, 'strasse', 'Häuser'],
  ['a German singular with more to come', german, 'Datei überschr', 'Anleitung'],
  ['a Russian singular', russian, 'страница', 'Страницы'],
  ['a Russian nominative', russian, 'новый сервер', 'Страницы'],
  ['е for ё', russian, 'елки', 'Страницы'],
  ['a typo in Cyrillic', russian, 'насторйка', 'Страницы'],
  ['a Greek singular', greek, 'σελίδα', 'Σελίδες'],
  ['Greek without accents', greek, 'ρυθμιση', 'Σελίδες'],
  ['a Japanese word in a title', japanese, 'ファイル', '設定ファイル'],
  ['a Japanese word in a body', japanese, '使い方', '設定ファイル'],
  ['one character', japanese, '例', '設定ファイル'],
  ['Latin within Japanese', japanese, 'graphql', '設定ファイル'],
  ['half-width katakana', japanese, 'ﾌｧｲﾙ', '設定ファイル'],
  ['a Chinese word', chinese, '安装', '快速开始'],
  ['a Chinese phrase', chinese, '配置文件', '快速开始'],
  ['Chinese words apart', chinese, '安装 保存', '快速开始'],
  ['a Korean word before its particle', korean, '문서', '시작 안내'],
  ['Korean words apart', korean, '저장 방법', '시작 안내'],
  ['a Thai word', thai, 'ตั้งค่า', 'เริ่มต้นใช้งาน'],
])('%s', async (_what, spaceId, query, title) => {
  expect(await titles(reader, spaceId, query)).toEqual([title]);
});

test('a Japanese heading comes with its anchor, and its excerpt marks the run', async () => {
  const [page] = await searched(reader, japanese, '東京都');
  expect(page).toMatchObject({ title: '設定ファイル', sections: [{ title: '東京都の設定' }] });
  expect(page.sections[0].path).toBe(`${page.path}#dong-jing-dou-no-she-ding`);
  const { space } = await reader.graphql(
    `{ space(id: "${japanese}") { search(query: "説明") { nodes { sections { excerpt { text isMatch } } } } } }`,
  );
  expect(space.search.nodes[0].sections[0].excerpt).toEqual([
    { text: 'サーバーの使い方を', isMatch: false },
    { text: '説明', isMatch: true },
    { text: 'します。', isMatch: false },
  ]);
});

test('words are stemmed by the current language of the space', async () => {
  const { spaceId } = await spaceWith(creator, organizationId, [{ title: 'Wohnen', markdown: 'Häuser mit Garten.' }], {
    language: 'en',
  });
  expect(await titles(reader, spaceId, 'Haus Garten')).toEqual([]);
  await creator.patch(`/v1/spaces/${spaceId}`, { language: 'de' });
  expect(await titles(reader, spaceId, 'Haus Garten')).toEqual(['Wohnen']);
});

test('a duplicate in another language uses its own stemming', async () => {
  const { space } = await creator.mutate('duplicateSpace', { spaceId: german }, 'space { id }');
  await creator.patch(`/v1/spaces/${space.id}`, { language: 'pl' });
  expect(await titles(reader, german, 'Einstellung der')).toEqual(['Häuser']);
  expect(await titles(reader, space.id, 'Einstellung der')).toEqual([]);
});
