import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import type { Archive, ArchiveOptions } from '../../src/platform/archive/archive.ts';
import { readFolder } from '../../src/platform/archive/read-folder.ts';
import { openArchive } from '../../src/platform/archive/read-zip.ts';
import { type RawEntry, rawZip } from './raw-zip.ts';

let folder: string;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function openBytes(bytes: Buffer, options?: Partial<ArchiveOptions>): Promise<Archive> {
  const file = join(folder, `${files++}.zip`);
  await writeFile(file, bytes);
  return openArchive(file, options);
}

async function packed(contents: Record<string, string>): Promise<string> {
  const file = join(folder, `${files++}.zip`);
  const zip = new ZipFile();
  for (const [path, text] of Object.entries(contents)) zip.addBuffer(Buffer.from(text), path);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
  return file;
}

const pathsOf = ({ entries }: Archive) => entries.map(({ path }) => path);

describe('a zip', () => {
  test('lists its files with their sizes and reads each', async () => {
    const archive = await openArchive(await packed({ 'README.md': '# Hello', 'guide/a b.md': 'é' }));
    expect(archive.entries).toEqual([
      { path: 'README.md', size: 7 },
      { path: 'guide/a b.md', size: 2 },
    ]);
    expect((await archive.read('guide/a b.md')).toString()).toBe('é');
    const chunks = await (await archive.stream('README.md')).toArray();
    expect(Buffer.concat(chunks).toString()).toBe('# Hello');
    await archive.close();
    await archive.close();
  });

  test('says that an entry is missing', async () => {
    const archive = await openArchive(await packed({ 'README.md': '' }));
    await expect(archive.read('toString')).rejects.toMatchObject({ code: 'missing', message: /"toString"/ });
    expect((await archive.read('README.md')).length).toBe(0);
    await archive.close();
  });

  test('leaves out the folder that holds everything, unless told to keep it', async () => {
    const file = await packed({ 'docs-main/README.md': 'x', 'docs-main/a/b.md': 'y', '__MACOSX/._README.md': 'z' });
    expect(pathsOf(await openArchive(file))).toEqual(['README.md', 'a/b.md']);
    expect(pathsOf(await openArchive(file, { stripTopFolder: false }))).toEqual([
      'docs-main/README.md',
      'docs-main/a/b.md',
    ]);
    expect(pathsOf(await openArchive(await packed({ 'a/b.md': '', 'ab.md': '' })))).toEqual(['a/b.md', 'ab.md']);
  });

  test('skips folders and files of operating systems and git', async () => {
    const names = [
      'a/',
      '.DS_Store',
      'a/.DS_Store',
      'Thumbs.db',
      '.git/config',
      'a/.git/HEAD',
      '.gitbook.yaml',
      './a/./x.md',
    ];
    expect(pathsOf(await openBytes(rawZip(names.map((name) => ({ name })))))).toEqual(['.gitbook.yaml', 'a/x.md']);
  });

  test.each([
    ['UTF-8 with the flag', { name: 'für.md', flags: 0x800 }, 'für.md'],
    ['UTF-8 without the flag', { name: 'für.md' }, 'für.md'],
    ['code page 437', { name: Buffer.from([0x66, 0x81, 0x72, 0x2e, 0x6d, 0x64]) }, 'für.md'],
    [
      'code page 437 with a false flag',
      { name: Buffer.from([0x66, 0x81, 0x72, 0x2e, 0x6d, 0x64]), flags: 0x800 },
      'für.md',
    ],
    ['code page 866', { name: Buffer.from([0xae, 0xe2, 0xe7, 0xf1, 0xe2, 0x2e, 0x6d, 0x64]) }, 'отчёт.md'],
    ['Shift_JIS', { name: Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x2e, 0x6d, 0x64]) }, 'テスト.md'],
    ['code page 437 with several accents', { name: Buffer.from('Gr\x94\xe1e.md', 'latin1') }, 'Größe.md'],
    ['UTF-8 after a slash', { name: '/files/a.md' }, 'a.md'],
    ['normal form D', { name: 'fu\u0308r.md' }, 'f\u00fcr.md'],
  ])('reads a name in %s', async (_, entry, path) => {
    expect(pathsOf(await openBytes(rawZip([entry])))).toEqual([path]);
  });
});

describe('a hostile zip is refused by name', () => {
  const link = { name: 'link', data: '/etc/passwd', attributes: 0xa1ff0000 };
  const zeros = Buffer.alloc(3 * 1024 ** 2);
  const refused: [string, RawEntry[], string, RegExp][] = [
    ['a path upwards', [{ name: 'a/../../b.md' }], 'path', /"a\/\.\.\/\.\.\/b\.md" leads out/],
    ['a path upwards after a slash', [{ name: '/../b.md' }], 'path', /leads out/],
    ['a folder upwards', [{ name: '../' }], 'path', /"\.\.\/" leads out/],
    ['an absolute path', [{ name: '//etc/passwd' }], 'path', /absolute/],
    ['a backslash', [{ name: 'a\\b.md' }], 'path', /backslash/],
    ['a drive letter', [{ name: 'C:a.md' }], 'path', /drive letter/],
    ['a NUL character', [{ name: 'a.md\0.png' }], 'path', /NUL/],
    ['an endless name', [{ name: 'a'.repeat(2000) }], 'path', /1024 characters/],
    ['a link', [link], 'link', /"link" is a link/],
    ['a device', [{ name: 'null', attributes: 0x21ff0000 }], 'link', /"null"/],
    ['an encrypted entry', [{ name: 'a.md', flags: 1 }], 'encrypted', /"a\.md".*password/],
    ['strong encryption', [{ name: 'a.md', flags: 0x41 }], 'encrypted', /password/],
    ['an unknown method', [{ name: 'a.md', method: 14 }], 'unsupported', /"a\.md".*method 14/],
    ['the same name twice', [{ name: 'a.md' }, { name: './a.md' }], 'duplicate', /"\.\/a\.md" exists twice/],
    ['the same name in two forms', [{ name: 'f\u00fc.md' }, { name: 'fu\u0308.md' }], 'duplicate', /twice/],
    ['a large entry', [{ name: 'a.bin', size: 100 * 1024 ** 2 + 1 }], 'too-large', /"a\.bin" is 104857601 bytes/],
    ['a thousandfold expansion', [{ name: 'zeros', data: zeros }], 'compression', /"zeros".*200 times/],
  ];

  test.each(refused)('%s', async (_, entries, code, message) => {
    await expect(openBytes(rawZip([{ name: 'ok.md', data: 'fine' }, ...entries]))).rejects.toMatchObject({
      name: 'ArchiveError',
      code,
      message,
    });
  });

  test('names that differ in case are two files', async () => {
    expect(pathsOf(await openBytes(rawZip([{ name: 'a.md' }, { name: 'A.md' }])))).toEqual(['a.md', 'A.md']);
  });

  test('a million entries, before they are read', async () => {
    const bytes = rawZip([{ name: 'a.md' }], { count: 0xffff, zip64Count: 1_000_000 });
    await expect(openBytes(bytes)).rejects.toMatchObject({ code: 'too-many-entries', message: /1000000 entries/ });
  });

  test('more entries than a limit of its own', async () => {
    const bytes = rawZip([{ name: 'a.md' }, { name: 'b.md' }, { name: '.DS_Store' }]);
    await expect(openBytes(bytes, { entries: 2 })).rejects.toMatchObject({ code: 'too-many-entries' });
    expect((await openBytes(bytes, { entries: 3 })).entries).toHaveLength(2);
  });

  test('more entries than it declares', async () => {
    const bytes = rawZip([{ name: 'a.md' }, { name: 'b.md' }], { count: 1 });
    await expect(openBytes(bytes)).rejects.toMatchObject({ code: 'damaged', message: /more than the 1 entries/ });
  });

  test('fewer entries than it declares', async () => {
    await expect(openBytes(rawZip([{ name: 'a.md' }], { count: 2 }))).rejects.toMatchObject({ code: 'damaged' });
    const bytes = rawZip([{ name: 'a.md' }], { count: 0xffff, zip64Count: 2 });
    await expect(openBytes(bytes)).rejects.toMatchObject({ code: 'damaged' });
  });

  test('more bytes in all than allowed', async () => {
    const bytes = rawZip([
      { name: 'a', data: 'x'.repeat(60) },
      { name: 'b', data: 'x'.repeat(60) },
    ]);
    await expect(openBytes(bytes, { totalBytes: 100 })).rejects.toMatchObject({ code: 'too-large' });
  });

  test('a directory that is mostly padding', async () => {
    const names = Array.from({ length: 9 }, (_, index) => ({ name: `${index}`.repeat(1000) }));
    await expect(openBytes(rawZip(names.slice(0, 2)), { entries: 2 })).resolves.toBeDefined();
    const padded = [{ name: '.git/'.padEnd(60_000, 'x') }];
    await expect(openBytes(rawZip(padded), { entries: 2 })).rejects.toMatchObject({ code: 'too-large' });
  });

  test('entries that share their packed bytes', async () => {
    const data = Buffer.from('shared '.repeat(50));
    const bytes = rawZip([
      { name: 'a.md', data },
      { name: 'b.md', data, offset: 0 },
    ]);
    await expect(openBytes(bytes)).rejects.toMatchObject({ code: 'damaged', message: /overlaps/ });
  });

  test('an entry that reaches into the directory', async () => {
    const bytes = rawZip([{ name: 'a.md', data: 'abc', stored: true, size: 40, packedSize: 40 }]);
    await expect(openBytes(bytes)).rejects.toMatchObject({ code: 'damaged', message: /"a\.md" overlaps/ });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['something else', Buffer.from('%PDF-1.7 is not a zip')],
    ['noise', Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 7919) % 251))],
    ['the first half', rawZip([{ name: 'a.md', data: 'abc' }]).subarray(0, 40)],
    ['the second half', rawZip([{ name: 'a.md', data: 'abc' }]).subarray(40)],
  ])('%s is not an archive', async (_, bytes) => {
    await expect(openBytes(bytes)).rejects.toMatchObject({ code: 'damaged' });
  });

  test('zip64 positions outside the file', async () => {
    const bytes = rawZip([{ name: 'a.md' }], { count: 0xffff, zip64Count: 1 });
    const locator = bytes.indexOf('PK\x06\x07');
    const record = bytes.indexOf('PK\x06\x06');
    for (const [position, value] of [
      [locator + 8, 2n ** 63n],
      [record + 48, 2n ** 63n],
      [record + 48, 2n ** 40n],
    ] as const) {
      const lying = Buffer.from(bytes);
      lying.writeBigUInt64LE(value, position);
      await expect(openBytes(lying)).rejects.toMatchObject({ code: 'damaged' });
    }
  });
});

describe('a file that is not what the directory says fails when it is read', () => {
  test.each([
    ['longer', { name: 'a.md', data: 'x'.repeat(5000), size: 10 }],
    ['shorter', { name: 'a.md', data: 'x'.repeat(50), size: 5000 }],
    ['changed', { name: 'a.md', data: 'abc', checksum: 1 }],
    ['not deflated', { name: 'a.md', data: '\xff\xff\xff\xff', stored: true, method: 8 }],
  ])('%s', async (_, entry) => {
    const archive = await openBytes(rawZip([entry, { name: 'ok.md', data: 'fine' }]));
    await expect(archive.read('a.md')).rejects.toMatchObject({ code: 'damaged', message: /"a\.md"/ });
    expect((await archive.read('ok.md')).toString()).toBe('fine');
    await archive.close();
  });

  test('an abandoned stream does not keep the archive open', async () => {
    const archive = await openBytes(rawZip([{ name: 'a.bin', data: Buffer.alloc(500_000) }]));
    for await (const chunk of await archive.stream('a.bin')) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await archive.close();
  });
});

describe('a folder', () => {
  const make = async (contents: Record<string, string>) => {
    const root = await mkdtemp(join(folder, 'folder-'));
    for (const [path, text] of Object.entries(contents)) {
      await mkdir(join(root, path, '..'), { recursive: true });
      await writeFile(join(root, path), text);
    }
    return root;
  };

  test('is read like an archive', async () => {
    const archive = await readFolder(
      await make({ 'a/b.md': 'b', 'README.md': '# A', '.git/HEAD': 'x', 'a/.DS_Store': '' }),
    );
    expect(archive.entries).toEqual([
      { path: 'README.md', size: 3 },
      { path: 'a/b.md', size: 1 },
    ]);
    expect((await archive.read('a/b.md')).toString()).toBe('b');
    await expect(archive.read('../x')).rejects.toMatchObject({ code: 'missing' });
    await archive.close();
  });

  test('follows symbolic links within the folder', async () => {
    const root = await make({ 'a/b.md': 'b' });
    await symlink('a/b.md', join(root, 'c.md'));
    await symlink('a', join(root, 'd'));
    const archive = await readFolder(root);
    expect(pathsOf(archive)).toEqual(['a/b.md', 'c.md', 'd/b.md']);
    expect((await archive.read('c.md')).toString()).toBe('b');
  });

  test.each([
    ['a file outside', '/etc/passwd', /"link" is a link that leads out/],
    ['a folder outside', '..', /leads out/],
    ['nothing', 'gone.md', /leads nowhere/],
    ['a folder that holds it', '.', /points to a folder that contains it/],
  ])('refuses a link to %s', async (_, target, message) => {
    const root = await make({ 'a.md': '' });
    await symlink(target, join(root, 'link'));
    await expect(readFolder(root)).rejects.toMatchObject({ code: 'link', message });
  });

  test('keeps the limits', async () => {
    const root = await make({ 'a.md': 'aaaa', 'b.md': 'bbbb' });
    await expect(readFolder(root, { entries: 1 })).rejects.toMatchObject({ code: 'too-many-entries' });
    await expect(readFolder(root, { entryBytes: 3 })).rejects.toMatchObject({ code: 'too-large' });
    await expect(readFolder(root, { totalBytes: 7 })).rejects.toMatchObject({ code: 'too-large' });
    await expect(readFolder(root, { totalBytes: 8 })).resolves.toBeDefined();
  });
});
