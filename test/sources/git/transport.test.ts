import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { work as makeCommit } from '../../../src/domain/sources/git/transport/commit-work.ts';
import { gitdirIn } from '../../../src/domain/sources/git/transport/git-objects.ts';
import type { Remote, SshAccess } from '../../../src/domain/sources/git/transport/remote.ts';
import type { FetchedBranch } from '../../../src/domain/sources/git/transport/transport.ts';
import { transportOf } from '../../../src/domain/sources/git/transport/transport-of.ts';
import { GitRepository, startGitServer } from '../../git-server.ts';

const base = await mkdtemp(join(tmpdir(), 'stemma-transport-'));
const server = await startGitServer();

afterAll(async () => {
  await server.close();
  await rm(base, { recursive: true, force: true });
});

const hasGit = existsSync('/usr/bin/git');

if (!hasGit) console.info('Skipped over SSH: git is not installed here.');

/** `git` with an `ssh` that runs the command of the other side on this machine. */
async function gitWithLocalSsh(): Promise<string> {
  const program = join(base, 'git');
  await mkdir(join(base, 'bin'), { recursive: true });
  await writeFile(join(base, 'bin', 'ssh'), '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n', { mode: 0o755 });
  await writeFile(program, `#!/bin/sh\nPATH='${base}/bin':"$PATH" exec git "$@"\n`, { mode: 0o755 });
  return program;
}

const WAYS = {
  HTTP: async () => ({ repository: await server.repository('docs') }),
  SSH: async () => {
    const gitdir = join(base, 'docs.git');
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitdir]);
    const ssh = { program: await gitWithLocalSsh(), privateKey: 'none', hostKeys: [], pin: async () => {} };
    return { repository: new GitRepository(gitdir, `ssh://git@127.0.0.1${gitdir}`), ssh };
  },
};

const ABSENT = 'f'.repeat(40);
const ANN = { name: 'Ann', email: 'ann@example.com' };

/** Fails with the reason of a signal. */
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

const folder = () => mkdtemp(join(base, 'fetch-'));

describe.each(hasGit ? (['HTTP', 'SSH'] as const) : (['HTTP'] as const))('over %s', async (way) => {
  const { repository, ssh }: { repository: GitRepository; ssh?: SshAccess } = await WAYS[way]();

  const to = (changes: Partial<Remote> = {}, limits: { limitMs?: number; totalMs?: number } = {}) =>
    transportOf(
      {
        url: repository.url,
        authorization: undefined,
        ref: 'refs/heads/main',
        allowPrivateNetwork: true,
        timeoutMs: 20_000,
        ...(ssh && { ssh }),
        ...changes,
      },
      {
        slot: {
          signal: new AbortController().signal,
          inWorker: async (module, input, { signal }) => {
            const work = (await import(module.href)).work(input, () => {});
            return signal ? Promise.race([work, aborted(signal)]) : work;
          },
        },
        limitMs: 20_000,
        ...limits,
      },
    );

  async function fetched(input: { folder: string; depth?: number; known?: string }): Promise<FetchedBranch> {
    const outcome = await to().fetch({ directory: '', depth: 1, ...input });
    if ('fault' in outcome) throw new Error(outcome.fault.message);
    return outcome.fetched;
  }

  /** Makes a commit with a file in the folder of a fetch. */
  async function committed(fetch: string, parent: string | null, path: string) {
    const place = join(fetch, 'new.md');
    await writeFile(place, '# New\n');
    const commit = { directory: '', folder: fetch, parent, changes: [{ path, place }], message: 'Add a file' };
    const input = { ...commit, author: ANN, committer: ANN, timestamp: 1_700_000_000, program: ssh?.program };
    const outcome = await makeCommit(input, () => {});
    if ('fault' in outcome || !outcome.committed) throw new Error('No commit was made.');
    const { oid, objects } = outcome.committed;
    return { folder: fetch, oid, parent, objects };
  }

  test('an empty repository can be listed, fetched and pushed to', async () => {
    for (const forPush of [false, true]) {
      expect(await to().listRefs({ commit: null, forPush })).toEqual({
        refs: { isEmpty: true, tip: null, sameCommit: [] },
      });
    }
    const first = await folder();
    expect(await fetched({ folder: first })).toMatchObject({ commit: null, files: [] });
    const push = await committed(first, null, 'first.md');
    expect(await to().push(push)).toEqual({ pushed: true });
    expect(await repository.tip()).toBe(push.oid);
    expect(await to().push(push)).toEqual({ pushed: true });
  });

  test('a fetch has the files of the tip, the commits before it, and whether the branch has a commit', async () => {
    const oids = [(await repository.tip()) ?? ''];
    for (let page = 0; page < 25; page += 1) oids.push(await repository.commit({ [`${page}.md`]: `# ${page}\n` }));
    const [oid] = oids.slice(-1);
    const { commit, files, hasKnown } = await fetched({ folder: await folder(), known: oids[1] });
    expect([commit?.oid, commit?.ancestors, files.length, hasKnown]).toEqual([oid, [], 26, true]);
    const deep = await fetched({ folder: await folder(), depth: 10, known: ABSENT });
    expect([deep.commit?.ancestors, deep.hasKnown]).toEqual([oids.slice(-10, -1).reverse(), false]);
  });

  test('a push to a branch that has moved is a fault, and another branch can be replaced instead', async () => {
    const fetch = await folder();
    const parent = (await fetched({ folder: fetch })).commit?.oid ?? null;
    const push = await committed(fetch, parent, 'more.md');
    const tip = await repository.commit({ 'other.md': '# Other\n' });
    expect(await to().push(push)).toMatchObject({ fault: { code: 'MOVED' } });
    expect(await to().push({ ...push, instead: 'refs/heads/proposal' })).toEqual({ pushed: true });
    expect(await to().listRefs({ commit: push.oid, forPush: false })).toEqual({
      refs: { isEmpty: false, tip, sameCommit: ['refs/heads/proposal'] },
    });
  });

  test('a missing branch, directory or repository is a fault', async () => {
    const input = { directory: '', folder: await folder(), depth: 1 };
    const code = async (work: ReturnType<ReturnType<typeof to>['fetch']>) => {
      const outcome = await work;
      return 'fault' in outcome ? outcome.fault.code : undefined;
    };
    expect(await code(to({ ref: 'refs/heads/none' }).fetch(input))).toBe('NO_BRANCH');
    expect(await code(to().fetch({ ...input, folder: await folder(), directory: 'none' }))).toBe('NO_DIRECTORY');
    const url = `${repository.url}-none`;
    expect(await code(to({ url }).fetch({ ...input, folder: await folder() }))).toBe('NOT_FOUND');
  });

  // Over SSH, the file has no server that can be slow.
  test.runIf(way === 'HTTP')(
    'a fetch ends when it has taken too long in all, whatever the server still sends',
    async () => {
      const answering = Promise.withResolvers<void>();
      repository.beforeListing = () => answering.promise;
      const fetching = to({}, { totalMs: 50 }).fetch({ directory: '', folder: await folder(), depth: 1 });
      await expect(fetching).rejects.toThrow('it took longer than 0.1 seconds');
      repository.beforeListing = undefined;
      answering.resolve();
    },
  );

  /** The remote with a program in place of `git`. */
  async function remoteWith(script: string): Promise<Partial<Remote>> {
    const program = join(await folder(), 'git');
    await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return { ssh: { program, privateKey: 'none', hostKeys: ['ssh-ed25519 AAAA'], pin: async () => {} } };
  }

  test.runIf(way === 'SSH')('a push and a listing end when they have taken too long in all', async () => {
    const remote = await remoteWith("while :; do echo 'remote: .' >&2; sleep 0.05; done");
    const push = { folder: await folder(), oid: ABSENT, parent: null, objects: [] };
    await mkdir(gitdirIn(push.folder));
    await expect(to(remote, { totalMs: 300 }).push(push)).rejects.toThrow('it took longer than 0.3 seconds');
    const listing = to(remote, { limitMs: 300 }).listRefs({ commit: null, forPush: false });
    await expect(listing).rejects.toThrow('it took longer than 0.3 seconds');
  });

  test.runIf(way === 'SSH')('a repository with too many branches is a fault', async () => {
    const line = `${ABSENT}\trefs/heads/${'x'.repeat(200)}`;
    const remote = await remoteWith(`exec yes '${line}'`);
    expect(await to(remote).listRefs({ commit: null, forPush: false })).toMatchObject({ fault: { code: 'TOO_LARGE' } });
  });
});
