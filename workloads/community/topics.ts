/** The topics and languages of the community. Topic names are labels of the feed API. */

/** In descending order of popularity. A topic's index is its code in this folder. */
export const TOPICS = [
  'gaming',
  'music',
  'science_technology',
  'food_dining',
  'sports',
  'travel_adventure',
  'film_tv_video',
  'fitness_health',
  'arts_culture',
  'business_entrepreneurs',
  'learning_educational',
  'other_hobbies',
] as const;
export type Topic = (typeof TOPICS)[number];

/** Each topic's share of the community's interest. They add up to 1. */
export const TOPIC_SHARES = [0.12, 0.115, 0.11, 0.1, 0.09, 0.085, 0.08, 0.075, 0.065, 0.06, 0.05, 0.05];

export const LANGUAGES = ['en', 'es', 'pt', 'de', 'fr', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];
export const ENGLISH = 0;

/** Each language's share of users. They add up to 1. */
export const LANGUAGE_SHARES = [0.66, 0.1, 0.08, 0.06, 0.05, 0.05];

/** The channel of each topic. */
const CHANNEL_NAMES: Record<Topic, string> = {
  gaming: 'gaming',
  music: 'music',
  science_technology: 'science',
  food_dining: 'food',
  sports: 'sports',
  travel_adventure: 'travel',
  film_tv_video: 'film',
  fitness_health: 'fitness',
  arts_culture: 'art',
  business_entrepreneurs: 'founders',
  learning_educational: 'learning',
  other_hobbies: 'hobbies',
};

export function channelOf(topic: Topic): string {
  return `https://example.community/channel/${CHANNEL_NAMES[topic]}`;
}

/** Labels that items of a topic sometimes have in addition. */
export const SECOND_LABELS: Record<Topic, readonly string[]> = {
  gaming: ['film_tv_video', 'science_technology', 'web3_nft'],
  music: ['arts_culture', 'celebrity_pop_culture'],
  science_technology: ['learning_educational', 'news_social_concern', 'web3_infra'],
  food_dining: ['diaries_daily_life', 'family', 'travel_adventure'],
  sports: ['fitness_health', 'celebrity_pop_culture'],
  travel_adventure: ['diaries_daily_life', 'food_dining'],
  film_tv_video: ['arts_culture', 'celebrity_pop_culture'],
  fitness_health: ['sports', 'diaries_daily_life'],
  arts_culture: ['fashion_style', 'learning_educational', 'web3_nft'],
  business_entrepreneurs: ['science_technology', 'news_social_concern', 'web3_defi'],
  learning_educational: ['youth_student_life', 'science_technology'],
  other_hobbies: ['diaries_daily_life', 'arts_culture'],
};

/** Encyclopedia articles that links of a topic point to. */
export const ARTICLES: Record<Topic, readonly string[]> = {
  gaming: ['Video_game', 'Roguelike', 'Speedrun', 'Board_game', 'Pixel_art'],
  music: ['Jazz', 'Synthesizer', 'Vinyl_record', 'Counterpoint', 'Bossa_nova'],
  science_technology: ['James_Webb_Space_Telescope', 'Compiler', 'Tardigrade', 'Solar_cell', 'RISC-V'],
  food_dining: ['Sourdough', 'Ramen', 'Fermentation', 'Espresso', 'Tacos'],
  sports: ['Marathon', 'Association_football', 'Rowing_(sport)', 'Table_tennis', 'Bouldering'],
  travel_adventure: ['Night_train', 'Camino_de_Santiago', 'Faroe_Islands', 'Hiking', 'Patagonia'],
  film_tv_video: ['Film_noir', 'Long_take', 'Stop_motion', 'Foley_(filmmaking)', 'Documentary_film'],
  fitness_health: ['Sleep', 'Kettlebell', 'Yoga', 'Interval_training', 'Stretching'],
  arts_culture: ['Linocut', 'Watercolor_painting', 'Brutalist_architecture', 'Ukiyo-e', 'Typography'],
  business_entrepreneurs: ['Bootstrapping', 'Cooperative', 'Cash_flow', 'Pricing', 'Open_source'],
  learning_educational: [
    'Spaced_repetition',
    'Euclid%27s_Elements',
    'Esperanto',
    'Rosetta_Stone',
    'Zettelkasten',
  ],
  other_hobbies: ['Bonsai', 'Amateur_radio', 'Woodworking', 'Birdwatching', 'Origami'],
};
