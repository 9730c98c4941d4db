/** French. */

import type { Phrasebook } from './phrasebook.ts';

export const french: Phrasebook = {
  topics: {
    gaming: {
      lines: [
        'Enfin battu {boss} dans {game}, {n} essais.',
        'Qui pour une partie de {game} {soon} ?',
        '{game} entre amis, c’est autre chose.',
        'Déjà {nn} heures sur {game}, surtout à pêcher.',
        '+La musique de {game} est une merveille.',
        '-{game} a effacé ma sauvegarde.',
      ],
      words: {
        game: ['Hollow Orchard', 'Tidebreak', 'Lanternfall', 'Paper Titans', 'Mosswick', 'Deep Signal'],
        boss: ['le golem de glace', 'les jumelles', 'le dernier phare', 'le gardien des cendres'],
        soon: ['ce soir', 'samedi', 'demain après vingt heures'],
      },
    },
    music: {
      lines: [
        '{record} tourne en boucle ici.',
        'Répétition {when} : {part} sonne enfin.',
        'Vous mettez quoi après {record} ?',
        'J’apprends {piece}, très lentement.',
        '+{record} en vinyle, quel bonheur.',
        '-Corde cassée en plein concert.',
      ],
      words: {
        record: [
          '« Sel et Souffle »',
          '« Radio Cuisine »',
          'le nouveau disque des Lampadaires',
          '« Marée basse »',
        ],
        part: ['le refrain', 'le pont', 'la ligne de basse', 'le deuxième couplet'],
        piece: ['une valse', 'un prélude', 'une java', 'une bossa'],
      },
    },
    science_technology: {
      lines: [
        'Lu aujourd’hui sur {subject} : passionnant.',
        'Toute la journée à chercher {bug}.',
        'Un bon livre pour débuter sur {subject} ?',
        'Cette nuit, regardez {sky}.',
        '+Vu {sky} avec un télescope fait maison !',
        '-Serveur par terre. La cause : {bug}.',
      ],
      words: {
        subject: ['les marées', 'les champignons du sol', 'les batteries', 'les compilateurs', 'les coraux'],
        bug: ['une virgule', 'un câble débranché', 'un certificat expiré', 'une fuite mémoire'],
        sky: ['Saturne', 'la nébuleuse d’Orion', 'une comète', 'Jupiter'],
      },
    },
    food_dining: {
      lines: [
        '{when}, {dish} avec {thing}.',
        'Le secret : {thing}.',
        'Avec ou sans {thing}, {dish} ?',
        'Dimanche, c’est {dish} et pas de téléphone.',
        '+Au marché : {dish}, un vrai délice.',
        '-Tout a brûlé. Adieu, {dish}.',
      ],
      words: {
        dish: [
          'ratatouille',
          'galettes de sarrasin',
          'gratin de courge',
          'soupe à l’oignon',
          'tarte aux poireaux',
          'couscous',
        ],
        thing: [
          'beurre noisette',
          'citron confit',
          'beaucoup d’ail',
          'piment d’Espelette',
          'un peu de cumin',
        ],
      },
    },
    sports: {
      lines: [
        '{score} avec {moment}. Quel match.',
        'Entraînement {when} : {drill}.',
        'Il manque {n} personnes pour le {sport}.',
        'Retour au {sport} après {n} mois.',
        '+Record personnel sur 10 km : {nn} minutes !',
        '-Perdu {score}, avec {moment}.',
      ],
      words: {
        score: ['3–2', '1–0', '2–2', '24–21'],
        moment: ['un penalty', 'un but à la dernière minute', 'un arrêt incroyable', 'un essai refusé'],
        drill: ['côtes', 'services', 'passes sous la pluie', 'départs'],
        sport: ['rugby', 'hand', 'volley', 'tennis de table'],
      },
    },
    travel_adventure: {
      lines: [
        'Réveil à {place} : {weather}.',
        '{n} heures {transport} pour aller à {place}.',
        'Que voir à {place} en deux jours ?',
        'Sac prêt, demain direction {place}.',
        '+{place} au lever du soleil, personne.',
        '-Trois trains annulés, nuit sur le quai.',
      ],
      words: {
        place: ['Marseille', 'Gand', 'Tbilissi', 'Essaouira', 'Trieste', 'Québec', 'Saint-Malo'],
        weather: ['brume jusqu’aux fenêtres', 'pas un nuage', 'neige en mai', 'pluie de travers'],
        transport: ['de train de nuit', 'de bus', 'de vélo', 'de ferry'],
      },
    },
    film_tv_video: {
      lines: [
        'Revu {film} {when}.',
        'Le meilleur dans {film} : {detail}.',
        'Quoi regarder après {film} ?',
        'Au montage : {detail} change tout.',
        '+{film} dans une salle pleine, tout le monde riait.',
        '-Arrêté {film} à la moitié.',
      ],
      words: {
        film: ['« Le Dernier Ferry »', '« Voleurs ordinaires »', '« Monsieur Pigeon »', '« La Doublure »'],
        detail: ['le son', 'la lumière', 'le silence final', 'le long plan dans la cuisine', 'la grand-mère'],
      },
    },
    fitness_health: {
      lines: [
        'Semaine {n} : {habit}, {effect}.',
        'Aujourd’hui, {nn} minutes : {exercise}.',
        'Vous tenez comment en hiver, pour {habit} ?',
        'Rappel : buvez de l’eau, étirez-vous.',
        '+{nn} jours et {effect}.',
        '-Deux semaines sans bouger, ça se sent.',
      ],
      words: {
        habit: ['marcher jusqu’au travail', 'dormir tôt', 's’étirer le matin', 'cuisiner maison'],
        effect: ['le dos va mieux', 'je dors enfin', 'rien pour l’instant', 'le moral remonte'],
        exercise: ['yoga', 'natation', 'vélo', 'corde à sauter'],
      },
    },
    arts_culture: {
      lines: [
        'Étude {nn} : {subject}, {medium}.',
        'Une heure devant un seul tableau : {subject}.',
        'Carnet, page {nn} : {subject}.',
        'Qui travaille encore à l’ancienne : {medium} ?',
        '+Première vente : {subject}, {medium} !',
        '-Café renversé sur le dessin.',
      ],
      words: {
        subject: [
          'trois poires',
          'une piscine vide',
          'les mains de ma voisine',
          'des pigeons',
          'l’escalier à midi',
        ],
        medium: ['linogravure', 'aquarelle', 'fusain', 'encre', 'gouache'],
      },
    },
    business_entrepreneurs: {
      lines: [
        'Mois {n} : {metric}.',
        'Leçon de la semaine : {lesson}.',
        'Vous gérez comment {problem} ?',
        '{nn} clients interrogés sur {problem}.',
        '+{company} est rentable. Petit, mais réel.',
        '-Encore une semaine perdue avec {problem}.',
      ],
      words: {
        company: ['L’atelier vélo', 'Notre petite appli', 'La librairie', 'Le studio'],
        metric: [
          'quarante clients',
          'chiffre stable, marge en hausse',
          'deux fois moins de tickets',
          'deux mois de trésorerie',
        ],
        lesson: [
          'facturer d’abord',
          'dire le prix puis se taire',
          'recruter lentement',
          'répondre au téléphone',
        ],
        problem: ['les retards de paiement', 'les retours', 'les livraisons', 'les prix'],
      },
    },
    learning_educational: {
      lines: [
        '{nn} minutes de {subject} {when}, {method}.',
        'Question en classe : {question} Je ne savais pas.',
        'Quelqu’un pour réviser ? {subject}, le mardi.',
        'Une seule chose marche pour moi : {method}.',
        '+Reçu en {subject} !',
        '-Toujours perdu en {subject}.',
      ],
      words: {
        subject: ['statistiques', 'chimie', 'finnois', 'géométrie', 'grammaire', 'latin'],
        method: ['des fiches', 'expliquer au chat', 'les vieux examens', 'lire à voix haute'],
        question: [
          'zéro est-il pair ?',
          'pourquoi la lune paraît-elle plus grande ?',
          'qui a inventé les devoirs ?',
        ],
      },
    },
    other_hobbies: {
      lines: [
        '{project} : terminé {when}.',
        'Vu {bird} avant le café.',
        '{project} : la deuxième couche sèche.',
        'Vous feriez quoi avec une vieille porte en chêne ?',
        '+{plant} fleurit pour la première fois depuis {n} ans !',
        '-Des pucerons. Encore.',
      ],
      words: {
        project: ['Le tabouret', 'La maquette', 'L’étagère', 'Le nichoir', 'L’ampli à lampes'],
        bird: ['un martin-pêcheur', 'deux huppes', 'une chouette', 'un héron'],
        plant: ['Le citronnier', 'L’orchidée', 'Le bonsaï'],
      },
    },
  },
  words: { when: ['hier soir', 'ce matin', 'hier', 'ce week-end', 'aujourd’hui'] },
  closers: {
    positive: ['Quelle joie.', 'Ça fait du bien.', 'Trop bien.', 'Ça valait le coup.', 'Belle journée.'],
    neutral: [
      'Vous en pensez quoi ?',
      'D’autres sont dans ce cas ?',
      'Je vous dirai.',
      'Conseils bienvenus.',
      'À suivre.',
    ],
    negative: ['Pas mon jour.', 'J’attendais mieux.', 'Plus jamais.', 'Un peu marre.'],
  },
  replies: {
    positive: ['Magnifique !', 'Bravo, c’est mérité !', 'Pile ce qu’il me fallait.', 'Entièrement d’accord.'],
    neutral: [
      'C’est où ?',
      'Tu as un lien ?',
      'Bonne question.',
      'Ça a pris combien de temps ?',
      'J’aurais fait l’inverse.',
    ],
    negative: ['Oh non, désolé pour toi.', 'Pas d’accord, pardon.', 'Chez moi, ça n’a pas marché.'],
  },
  attachments: {
    image: ['Photo ci-dessous.', 'Voilà le résultat.', 'La preuve en image.'],
    video: ['Petite vidéo ci-dessous.', 'Avec le son.'],
    article: ['C’est bien expliqué ici.', 'Long, mais à lire.'],
  },
  spam: [
    'Abonnés GRATUITS, cliquez vite !!!',
    'Gagnez de l’argent chez vous, demandez-moi comment',
    'Aujourd’hui seulement : comptes premium à -90 %',
  ],
  gap: ' ',
};
