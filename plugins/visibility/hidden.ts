import { defineVisibilityRule, Type } from 'feedloom/plugin';

const SECONDS_PER_DAY = 86_400;

/**
 * Drops items that the viewer hid or reported, whatever other switches are set.
 *
 * If the viewer hid several items of one author within some days, all items of that author are dropped.
 */
export default defineVisibilityRule({
  summary: 'Drops items that the viewer hid or reported, and all items of authors with several such items.',
  options: Type.Object(
    {
      author_items: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 3 }),
      author_days: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 30 }),
    },
    { additionalProperties: false },
  ),
  compile: (options) => (request) => {
    const since = request.now - options.author_days * SECONDS_PER_DAY;
    return (item) =>
      !request.viewer.has_hidden(item) &&
      !request.viewer.has_hidden_author(request.item.author(item), options.author_items, since);
  },
});
