import fs from 'node:fs';
import git from 'isomorphic-git';
import { boundedPacks } from './bounded-objects.ts';
import { gitdirIn } from './git-objects.ts';
import { type gitHttp, MAX_PACK_BYTES } from './http-client.ts';
import { objectsIn, packedObjectsIn } from './open-objects.ts';
import { readTip, type TipInput } from './read-tip.ts';
import { sendPack, ZERO_OID } from './receive-pack.ts';
import type { Remote } from './remote.ts';
import { errorOf, faultOfPush, MOVED, noBranch } from './remote-fault.ts';
import type { ServerRepository } from './server-repository.ts';
import type { PushInput } from './transport.ts';

/** A repository over HTTP, with isomorphic-git over the guarded fetch. For workers (`withBoundedObjects`). */
export class HttpRepository implements ServerRepository {
  readonly branch: string;
  readonly maxPackBytes = MAX_PACK_BYTES;
  readonly #server: { http: ReturnType<typeof gitHttp>; url: string };
  readonly #post: (beat: true) => void;
  /** isomorphic-git reads packs once for each cache. */
  readonly #cache = {};

  constructor({ url, ref }: Remote, http: ReturnType<typeof gitHttp>, post: (beat: true) => void) {
    this.branch = ref;
    this.#server = { http, url };
    this.#post = post;
  }

  refs(forPush: boolean) {
    return git.listServerRefs({ ...this.#server, protocolVersion: 1, forPush });
  }

  async fetch(gitdir: string, depth: number): Promise<string | null> {
    await git.init({ fs, gitdir, bare: true });
    await git.addRemote({ fs, gitdir, remote: 'origin', url: this.#server.url, force: true });
    const refs = await this.refs(false);
    if (refs.length === 0) return null;
    const tip = refs.find(({ ref }) => ref === this.branch);
    if (!tip) throw noBranch(this.branch);
    const { fetchHead } = await git.fetch({
      fs: boundedPacks,
      gitdir,
      ...this.#server,
      cache: this.#cache,
      remote: 'origin',
      ref: this.branch,
      remoteRef: this.branch,
      singleBranch: true,
      tags: false,
      depth,
      onProgress: () => this.#post(true),
    });
    return fetchHead ?? tip.oid;
  }

  openObjects(gitdir: string) {
    return objectsIn(gitdir, this.#cache);
  }

  readTip(input: TipInput) {
    return readTip(packedObjectsIn(gitdirIn(input.folder), this.#cache), input, this.#post);
  }

  /** Sends only the new objects. */
  async push({ folder, oid, parent, objects, instead }: PushInput): Promise<void> {
    const ref = instead ?? this.branch;
    const { refs, capabilities } = await git.getRemoteInfo2({ ...this.#server, protocolVersion: 1, forPush: true });
    const old = refs?.find((each) => each.ref === ref)?.oid ?? ZERO_OID;
    if (old === oid) return;
    if (instead === undefined && old !== (parent ?? ZERO_OID)) throw errorOf(MOVED);
    const { packfile = new Uint8Array() } = await git.packObjects({ fs, gitdir: gitdirIn(folder), oids: objects });
    this.#post(true);
    const { http, url } = this.#server;
    const reason = await sendPack(http, url, { ref, old, oid, pack: packfile }, capabilities);
    if (reason !== undefined) throw errorOf(faultOfPush(reason));
  }
}
