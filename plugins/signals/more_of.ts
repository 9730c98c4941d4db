import { defineSignal, Type } from 'feedloom/plugin';

/**
 * The newest items of the authors, channels and labels that the viewer wants more of.
 *
 * The newest item has the value 1, or the one that matches most of them. All values are 0 for viewers who named none.
 */
export default defineSignal({
  summary: 'The newest items of the authors, channels and labels that the viewer wants more of.',
  proposes: { per_item: 0.5, always: true },
  reason: 'more_of',
  options: Type.Object(
    { newest: Type.Integer({ minimum: 1, maximum: 500, default: 64 }) },
    { additionalProperties: false },
  ),
  reaches: (options) => (request) => request.viewer.reach('more_of', options),
});
