/** German. Words that follow a preposition are chosen so that their form fits. */

import type { Phrasebook } from './phrasebook.ts';

export const german: Phrasebook = {
  topics: {
    gaming: {
      lines: [
        '{game} durchgespielt, {nn} Stunden, keine bereut.',
        'Wer spielt {when} eine Runde {game}?',
        '{game} mit Freunden ist ein anderes Spiel.',
        'Seit {n} Tagen hänge ich an {boss}.',
        '+Die Musik von {game} läuft hier auch beim Kochen.',
        '-{game} hat meinen Spielstand gelöscht.',
      ],
      words: {
        game: ['Hollow Orchard', 'Tidebreak', 'Lanternfall', 'Paper Titans', 'Mosswick', 'Deep Signal'],
        boss: ['der Eisbrücke', 'den Zwillingen', 'Kapitel sieben', 'diesem Leuchtturm'],
        when: ['heute Abend', 'am Samstag', 'morgen nach acht'],
      },
    },
    music: {
      lines: [
        '{record} läuft hier in Dauerschleife.',
        'Probe {when}: {part} sitzt endlich.',
        'Was legt ihr nach {record} auf?',
        'Ich übe gerade {piece}, sehr langsam.',
        '+{record} auf Vinyl ist ein Fest.',
        '-Saite gerissen, mitten im Lied.',
      ],
      words: {
        record: [
          '„Nachtbuslieder“',
          '„Salz und Rauschen“',
          'die neue Platte von Glaspalast',
          '„Küchenradio“',
          '„Ebbe“',
        ],
        part: ['die zweite Strophe', 'die Bridge', 'die Basslinie', 'das Ende'],
        piece: ['ein Präludium', 'eine Polka', 'einen Walzer', 'eine Bossa nova'],
      },
    },
    science_technology: {
      lines: [
        'Heute viel über {subject} gelesen, sehr spannend.',
        'Den ganzen Tag gesucht, am Ende war es {bug}.',
        'Kennt jemand ein gutes Einstiegsbuch über {subject}?',
        'Heute Nacht gut zu sehen: {sky}.',
        '+{sky} durchs selbst gebaute Teleskop!',
        '-Server weg. Ursache: {bug}.',
      ],
      words: {
        subject: ['Gezeiten', 'Bodenpilze', 'Batterien', 'Compiler', 'Korallen', 'Graphdatenbanken'],
        bug: ['ein Leerzeichen', 'die Sommerzeit', 'ein loses Kabel', 'ein abgelaufenes Zertifikat'],
        sky: ['Saturn', 'der Orionnebel', 'die Raumstation', 'ein schwacher Komet'],
      },
    },
    food_dining: {
      lines: [
        '{when} gab es {dish} mit {thing}.',
        'Das ganze Geheimnis: {dish} mit {thing}.',
        '{dish} mit {thing}, ja oder nein?',
        'Sonntag heißt {dish} und kein Telefon.',
        '+Beste {dish2} der Stadt, gleich am Bahnhof.',
        '-Alles angebrannt. Also doch {dish}.',
      ],
      words: {
        dish: [
          'Linsensuppe',
          'Maultaschen',
          'Kartoffelpuffer',
          'Käsespätzle',
          'Rote-Bete-Risotto',
          'Flammkuchen',
        ],
        dish2: ['Brezeln', 'Zimtschnecken', 'Falafel', 'Pommes'],
        thing: [
          'brauner Butter',
          'Kümmel',
          'viel Knoblauch',
          'eingelegter Zitrone',
          'Meerrettich',
          'Apfelmus',
        ],
      },
    },
    sports: {
      lines: [
        '{score} nach {moment}. Ich muss mich setzen.',
        'Training {when}: {drill}.',
        'Uns fehlen noch {n} Leute fürs {sport}.',
        'Nach {n} Monaten Pause wieder beim {sport}.',
        '+Neue Bestzeit über 10 km: {nn} Minuten!',
        '-Verloren, {score}, nach {moment}.',
      ],
      words: {
        score: ['3:2', '1:0', '2:2', '28:27'],
        moment: ['Elfmeter', 'Eigentor', 'Verlängerung', 'Videobeweis'],
        drill: ['Bergläufe', 'Aufschläge', 'Passspiel im Regen', 'Wechselzone'],
        sport: ['Handballtraining', 'Volleyballturnier', 'Rudern', 'Tischtennis'],
      },
    },
    travel_adventure: {
      lines: [
        'Aufgewacht in {place}: {weather}.',
        '{n} Stunden mit {transport} nach {place}.',
        'Was darf man in {place} nicht verpassen?',
        'Rucksack gepackt, morgen geht es nach {place}.',
        '+{place} bei Sonnenaufgang, ganz allein.',
        '-Drei Züge ausgefallen, Nacht am Bahnsteig.',
      ],
      words: {
        place: ['Görlitz', 'Triest', 'Bergen', 'Ljubljana', 'Gent', 'Tiflis'],
        weather: ['Nebel bis ans Fenster', 'Schnee im Mai', 'keine Wolke', 'Regen von der Seite'],
        transport: ['dem Nachtzug', 'der Fähre', 'dem Rad', 'dem Bus'],
      },
    },
    film_tv_video: {
      lines: [
        '{when} wieder {film} gesehen.',
        'Das Beste an {film}: {detail}.',
        'Was schaut man nach {film}?',
        'Schnitt-Tag: {detail} macht alles anders.',
        '+{film} im vollen Kino, alle haben gelacht.',
        '-{film} nach der Hälfte ausgemacht.',
      ],
      words: {
        film: ['„Die letzte Fähre“', '„Gewöhnliche Diebe“', '„Herr Taube“', '„Nachtschicht im Aquarium“'],
        detail: [
          'der Ton',
          'die Stille am Schluss',
          'die lange Einstellung in der Küche',
          'das Licht',
          'die Großmutter',
        ],
      },
    },
    fitness_health: {
      lines: [
        'Woche {n} mit {habit}: {effect}.',
        'Heute {nn} Minuten {exercise}.',
        'Wie bleibt ihr im Winter bei {habit}?',
        'Erinnerung: trinken, strecken, rausgehen.',
        '+{nn} Tage {exercise} und {effect}.',
        '-Zwei Wochen ohne {exercise}, das merkt man.',
      ],
      words: {
        habit: ['Dehnen am Morgen', 'frühem Schlafen', 'Treppen statt Aufzug', 'kaltem Duschen'],
        effect: ['der Rücken ist still', 'der Schlaf wird besser', 'noch keine Wirkung', 'die Laune steigt'],
        exercise: ['Yoga', 'Schwimmen', 'Kettlebell', 'Rudern'],
      },
    },
    arts_culture: {
      lines: [
        'Studie {nn}: {subject}, {medium}.',
        'Eine Stunde vor einem einzigen Bild gestanden: {subject}.',
        'Skizzenbuch, Seite {nn}: {subject}.',
        'Wer arbeitet hier noch mit {medium}?',
        '+Erstes Bild verkauft: {subject}, {medium}!',
        '-Kaffee umgekippt, genau auf die Zeichnung.',
      ],
      words: {
        subject: [
          'drei Birnen',
          'ein leeres Schwimmbad',
          'die Hände der Nachbarin',
          'Tauben',
          'das Treppenhaus am Mittag',
        ],
        medium: ['Linolschnitt', 'Gouache', 'Kohle', 'Aquarell', 'Tusche'],
      },
    },
    business_entrepreneurs: {
      lines: [
        'Monat {n}: {metric}.',
        'Lehre der Woche: {lesson}.',
        'Wie geht ihr mit {problem} um?',
        'Mit {nn} Kunden über {problem} gesprochen.',
        '+{company} trägt sich. Klein, aber echt.',
        '-Wieder eine Woche mit {problem} verloren.',
      ],
      words: {
        company: ['Die Werkstatt', 'Unsere kleine App', 'Die Rösterei', 'Die Sprachschule'],
        metric: [
          'vierzig zahlende Kunden',
          'Umsatz gleich, Marge besser',
          'halb so viele Anfragen',
          'Geld für zwei Monate',
        ],
        lesson: [
          'erst die Rechnung schreiben',
          'Preis sagen und schweigen',
          'langsam einstellen',
          'ans Telefon gehen',
        ],
        problem: ['Zahlungsverzug', 'Rücksendungen', 'Lieferzeiten', 'Preiserhöhungen'],
      },
    },
    learning_educational: {
      lines: [
        '{nn} Minuten {subject} {when}, {method}.',
        'Frage aus dem Unterricht: {question} Ich wusste es nicht.',
        'Lernt jemand mit mir {subject}?',
        'Nur so bleibt {subject} hängen: {method}.',
        '+Bestanden! {subject} ist vorbei.',
        '-{subject} bleibt mir ein Rätsel.',
      ],
      words: {
        subject: ['Statistik', 'Chemie', 'Finnisch', 'Lineare Algebra', 'Mittelalter', 'Grammatik'],
        method: ['Karteikarten', 'der Katze erklären', 'alte Klausuren', 'laut lesen'],
        question: [
          'Ist null gerade?',
          'Warum wirkt der Mond am Horizont größer?',
          'Wer hat Hausaufgaben erfunden?',
        ],
      },
    },
    other_hobbies: {
      lines: [
        '{project} ist fertig, nur {n} Fehler.',
        '{bird} gesehen, noch vor dem Frühstück.',
        '{project}: der zweite Anstrich trocknet.',
        'Was würdet ihr aus einer alten Eichentür bauen?',
        '+{plant} blüht, zum ersten Mal seit {n} Jahren!',
        '-Blattläuse. Schon wieder.',
      ],
      words: {
        project: ['Der Hocker', 'Das Schiffsmodell', 'Das Regal', 'Das Vogelhaus', 'Der Röhrenverstärker'],
        bird: ['Einen Eisvogel', 'Zwei Wiedehopfe', 'Eine Eule', 'Einen Reiher'],
        plant: ['Der Zitronenbaum', 'Die Orchidee', 'Der Wacholder'],
      },
    },
  },
  words: { when: ['gestern Abend', 'heute früh', 'gestern', 'am Wochenende', 'heute'] },
  closers: {
    positive: [
      'Hat sich gelohnt.',
      'Ich freue mich sehr.',
      'Das tut gut.',
      'Guter Tag.',
      'So darf es weitergehen.',
    ],
    neutral: [
      'Was meint ihr?',
      'Geht es noch jemandem so?',
      'Ich berichte.',
      'Tipps willkommen.',
      'Nur so als Notiz.',
    ],
    negative: ['Nicht mein Tag.', 'Schade eigentlich.', 'Nie wieder.', 'Ich hatte mehr erwartet.'],
  },
  replies: {
    positive: [
      'Wie schön!',
      'Großartig, Glückwunsch!',
      'Genau das habe ich heute gebraucht.',
      'Ganz deiner Meinung.',
    ],
    neutral: [
      'Wo ist das?',
      'Hast du einen Link?',
      'Gute Frage.',
      'Wie lange hat das gedauert?',
      'Ich hätte es umgekehrt gemacht.',
    ],
    negative: ['Oh nein, das tut mir leid.', 'Sehe ich anders.', 'Bei mir hat das nicht geklappt.'],
  },
  attachments: {
    image: ['Foto anbei.', 'So sieht es aus.', 'Hier der Beweis.'],
    video: ['Kurzes Video anbei.', 'Ton an.'],
    article: ['Hier gut erklärt.', 'Langer Text, lohnt sich aber.'],
  },
  spam: [
    'GRATIS Follower, jetzt klicken!!!',
    'Geld verdienen von zu Hause, frag mich wie',
    'Nur heute: Premium-Konten 90 % günstiger',
  ],
  gap: ' ',
};
