import { defineSignal, Type } from 'feedloom/plugin';

/** Like `affinity_all`, but each followed user is weighted by closeness to the viewer. */
export default defineSignal({
  summary: 'Like affinity_all, with each followed user weighted by common interactions and mutual following.',
  proposes: { name: 'closest', per_item: 4 },
  reason: 'followed',
  options: Type.Object(
    {
      recent: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
      users: Type.Integer({ minimum: 1, maximum: 5000, default: 300 }),
      half_life_hours: Type.Number({ exclusiveMinimum: 0, maximum: 876_000, default: 24 }),
    },
    { additionalProperties: false },
  ),
  reaches: (options) => (request) => request.viewer.reach('affinity', { ...options, closest: true }),
});
