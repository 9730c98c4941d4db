import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { CONFIGS, type Keyed } from '../../../src/http/identity/admissions.ts';
import { json } from '../../../src/http/transport/answers.ts';
import { parameter } from '../../../src/http/transport/parameters.ts';
import { type Definition, route, withTwin } from '../../../src/http/transport/route.ts';

const docs = { tag: 'Operations', id: 'count', summary: 'A count', description: 'Counts.' } as const;
const answer = json(Type.Object({ count: Type.Integer() }));

type None = Record<never, never>;
type Count = Definition<Keyed, None, None, undefined, { count: number }>;
type Without<Name extends keyof Count> = Omit<Count, Name> extends Count ? 'compiles' : 'is refused';
type Returning<T> = Omit<Count, 'handle'> & { handle(): T };
type Is<T> = T extends Count ? 'compiles' : 'is refused';

test('a route does not compile without an admission, a node, and the answer that it documents', () => {
  const admit: Without<'admit'> = 'is refused';
  const answered_by: Without<'answered_by'> = 'is refused';
  const wrong_answer: Is<Returning<{ count: string }>> = 'is refused';
  const right_answer: Is<Returning<{ count: number }>> = 'compiles';
  expect([admit, answered_by, wrong_answer, right_answer]).toHaveLength(4);
  const counted = route('GET', '/count', {
    admit: CONFIGS,
    answered_by: 'any',
    answer,
    docs,
    handle: ({ principal }) => ({ count: principal.account.length }),
  });
  expect(counted).toMatchObject({ method: 'GET', path: '/count', admit: CONFIGS, answered_by: 'any' });
});

test('the twin of a route takes the identifier from the query, with the same rules', () => {
  const params = { id: parameter<string>(Type.String(), String) };
  const by_path = route('GET', '/items/:id/count', {
    admit: CONFIGS,
    answered_by: 'current',
    params,
    answer,
    docs,
    handle: ({ params: { id } }) => ({ count: id.length }),
  });
  const [, twin] = withTwin('item_id', by_path);
  expect(twin).toMatchObject({ path: '/items/count', admit: CONFIGS, answered_by: 'current' });
  expect(Object.keys(twin.query ?? {})).toEqual(['item_id']);
  expect(twin.documented?.docs.id).toBe('countByQuery');
});
