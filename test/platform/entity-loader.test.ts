import { expect, test } from 'vitest';
import { Team } from '../../src/domain/people/teams/entity.ts';
import { type Actor, ANONYMOUS } from '../../src/platform/access/actor.ts';
import type { Context } from '../../src/platform/context/context.ts';
import { accessOutsideTransactions } from '../../src/platform/context/database-access.ts';
import { inTransaction } from '../../src/platform/operation/transact.ts';
import { entityLoader } from '../../src/platform/reads/entity-loader.ts';
import { world } from '../world.ts';

const { app, admin, organizationId } = await world();
const { services } = app;

const request = (actor: Actor = ANONYMOUS): Context => ({
  ...accessOutsideTransactions(services, { statements: 0, milliseconds: 0 }),
  actor,
  services,
  requestId: 'test',
  log: services.log,
  inTransaction: false,
});

interface TeamTitle {
  id: string;
  title: string;
}

const loadTitle = entityLoader<TeamTitle>(Team, { name: 'title', fields: ['id', 'title'] });
const loadOwn = entityLoader<TeamTitle>(Team, { name: 'own', isShown: (_ctx, { title }) => title !== 'Hidden' });

async function makeTeam(title: string): Promise<string> {
  const { body } = await admin.put(`/v1/orgs/${organizationId}/teams`, { title });
  return body.id;
}

test('requests share the statement of a turn and get entities that no unit of work manages', async () => {
  const id = await makeTeam('Writers');
  const [first, second] = [request(), request()];
  const [one, same] = await Promise.all([loadTitle(first, id), loadTitle(second, id)]);
  expect({ id: one?.id, title: one?.title }).toEqual({ id, title: 'Writers' });
  expect(same).toBe(one);
  expect([first, second].map(({ meter }) => meter?.statements)).toEqual([1, 1]);
  expect(services.em.getUnitOfWork(false).getIdentityMap().keys()).toEqual([]);
});

test('entities that are hidden from the caller load like absent ones', async () => {
  const ids = [await makeTeam('Shown'), await makeTeam('Hidden'), 'team_01h455vb4pex5vsknk084sn02q'];
  const found = await loadOwn.loadMany(request(), ids);
  expect(found.map((team) => team?.title)).toEqual(['Shown', undefined, undefined]);
});

test('a transaction loads what it has written, and its own reads only', async () => {
  const id = await makeTeam('Before');
  await inTransaction(request(), async (ctx) => {
    await ctx.db.updateTable('team').set({ title: 'After' }).where('id', '=', id).execute();
    expect((await loadTitle(ctx, id))?.title).toBe('After');
    expect((await loadTitle(request(), id))?.title).toBe('Before');
  });
});

test('a reference leads to the entity that a column names', async () => {
  const id = await makeTeam('Readers');
  const em = services.em.fork();
  const team = await em.findOneOrFail(Team, { id }, { populate: ['organization'] });
  expect([team.organizationId, team.organization.id]).toEqual([organizationId, organizationId]);
  expect(await em.count(Team, { id, organization: { id: organizationId } })).toBe(1);
});
