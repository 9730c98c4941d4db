/** Spanish. */

import type { Phrasebook } from './phrasebook.ts';

export const spanish: Phrasebook = {
  topics: {
    gaming: {
      lines: [
        'Por fin pasé {boss} en {game}, {n} intentos.',
        '¿Alguien para jugar {game} {soon}?',
        '{game} con amigos es otra cosa.',
        'Llevo {nn} horas en {game} y solo he pescado.',
        '+La música de {game} es una maravilla.',
        '-{game} me borró la partida después de {nn} horas.',
      ],
      words: {
        soon: ['esta noche', 'el sábado', 'el domingo por la tarde'],
        game: ['Hollow Orchard', 'Tidebreak', 'Lanternfall', 'Paper Titans', 'Mosswick', 'Deep Signal'],
        boss: ['el jefe de hielo', 'las gemelas del capítulo siete', 'el último faro', 'la torre roja'],
      },
    },
    music: {
      lines: [
        'No paro de escuchar {record}.',
        'Ensayo {when}: por fin suena {part}.',
        '¿Qué pongo después de {record}?',
        'Aprendiendo {piece} con la guitarra vieja.',
        '+{record} en vinilo suena precioso.',
        '-Se rompió una cuerda justo en {part}.',
      ],
      words: {
        record: [
          '"Sal y Ceniza"',
          '"Canciones de Azotea"',
          'lo nuevo de Los Faroles',
          '"Marea Baja"',
          '"Radio Cocina"',
        ],
        part: ['el estribillo', 'la segunda estrofa', 'el puente', 'la línea de bajo'],
        piece: ['una zamba', 'un vals', 'una bulería', 'un bolero', 'una cumbia'],
      },
    },
    science_technology: {
      lines: [
        'Hoy leí sobre {subject}, fascinante.',
        'Todo el día buscando {bug}.',
        '¿Un buen libro para empezar con {subject}?',
        'Esta noche se ve {sky}, salid a mirar.',
        '+{sky} con el telescopio casero, ¡se ve!',
        '-El servidor se cayó por {bug}.',
      ],
      words: {
        subject: [
          'las mareas',
          'los microbios',
          'la genética',
          'los compiladores',
          'las baterías',
          'los hongos',
        ],
        bug: ['una coma', 'un error de memoria', 'un certificado caducado', 'un cable suelto'],
        sky: ['Saturno', 'la nebulosa de Orión', 'un cometa', 'Júpiter'],
      },
    },
    food_dining: {
      lines: [
        '{when} hice {dish} con {thing}.',
        'El secreto: {thing}.',
        'En mi casa, {dish} siempre con {thing}. ¿Y en la vuestra?',
        'Domingo de {dish}, sin prisa.',
        '+Probé {dish} en el mercado, espectacular.',
        '-Se me quemó todo: adiós, {dish}.',
      ],
      words: {
        dish: ['tortilla de patatas', 'arepas', 'ceviche', 'lentejas', 'empanadas', 'pozole', 'gazpacho'],
        thing: [
          'pimentón',
          'un poco de comino',
          'ajo, mucho ajo',
          'cebolla caramelizada',
          'cilantro',
          'ralladura de limón',
        ],
      },
    },
    sports: {
      lines: [
        '{score} con {moment}. Qué partido.',
        'Entrené {when}: {drill}.',
        'Faltan {n} personas para jugar al {sport}.',
        'Vuelvo al {sport} después de {n} meses.',
        '+¡Marca personal en los 10 km: {nn} minutos!',
        '-Perdimos por {moment}.',
      ],
      words: {
        score: ['3–2', '1–0', '2–2', '88–87'],
        moment: ['un penalti', 'un gol en el descuento', 'una parada increíble', 'un triple final'],
        drill: ['series en cuesta', 'saques', 'mucho pase y poca carrera', 'técnica bajo la lluvia'],
        sport: ['fútbol sala', 'baloncesto', 'balonmano', 'pádel', 'voleibol'],
      },
    },
    travel_adventure: {
      lines: [
        'Amanecer en {place}: {weather}.',
        '{n} horas en {transport} hasta {place}.',
        '¿Qué no me puedo perder en {place}?',
        'Mochila lista, mañana salgo hacia {place}.',
        '+{place} es todavía mejor en persona.',
        '-Perdí {transport} y aquí sigo.',
      ],
      words: {
        place: ['Cuenca', 'Valparaíso', 'Oaxaca', 'Cádiz', 'Montevideo', 'Cartagena', 'Bariloche'],
        weather: ['niebla y silencio', 'ni una nube', 'viento y café caliente', 'lluvia fina'],
        transport: ['el tren nocturno', 'un autobús local', 'la última lancha'],
      },
    },
    film_tv_video: {
      lines: [
        'Volví a ver {film} {when}.',
        'Lo mejor en {film}: {detail}.',
        '¿Serie para quien disfrutó {film}?',
        'Montando el corto: {detail} lo cambia todo.',
        '+{film} me hizo reír y llorar.',
        '-Dejé {film} a la mitad.',
      ],
      words: {
        film: [
          '"El último ferry"',
          '"Ladrones corrientes"',
          '"Don Paloma"',
          '"La suplente"',
          '"Noche en el acuario"',
        ],
        detail: ['el sonido', 'la luz', 'el silencio final', 'el plano largo en la cocina', 'la abuela'],
      },
    },
    fitness_health: {
      lines: [
        'Semana {n} de {habit}: {effect}.',
        'Hoy tocó {exercise}, {nn} minutos.',
        '¿Cómo mantenéis {habit} en invierno?',
        'Recordatorio: bebed agua y estirad el cuello.',
        '+{nn} días de {habit} y {effect}.',
        '-Dos semanas sin {exercise} y se nota.',
      ],
      words: {
        habit: ['caminar al trabajo', 'dormir temprano', 'estirar cada mañana', 'cenar ligero'],
        effect: [
          'duermo mejor',
          'la espalda ya no protesta',
          'subo escaleras sin pensar',
          'de momento, nada',
        ],
        exercise: ['yoga', 'natación', 'pesas', 'bici'],
      },
    },
    arts_culture: {
      lines: [
        'Estudio {nn}: {subject}, {medium}.',
        'Una hora entera mirando {subject}.',
        'Cuaderno, página {nn}: {subject}.',
        '¿Quién más trabaja con {medium}?',
        '+¡Vendí mi primera obra: {subject} en {medium}!',
        '-Se me cayó el café sobre {subject}.',
      ],
      words: {
        subject: [
          'tres peras',
          'una piscina vacía',
          'las manos de mi abuela',
          'unas palomas',
          'la escalera a mediodía',
        ],
        medium: ['linóleo', 'acuarela', 'carboncillo', 'tinta', 'cerámica'],
      },
    },
    business_entrepreneurs: {
      lines: [
        'Mes {n} con {company}: {metric}.',
        'Lección de la semana: {lesson}.',
        '¿Cómo resolvéis {problem}?',
        'Hablé con {nn} clientes sobre {problem}.',
        '+{company} ya da beneficios. Pequeños, pero reales.',
        '-Otra semana perdida por {problem}.',
      ],
      words: {
        company: ['la panadería', 'el taller de bicis', 'nuestra app', 'la librería', 'el estudio'],
        metric: ['cuarenta clientes', 'el doble de pedidos', 'menos ventas, más margen', 'dos meses de caja'],
        lesson: ['cobra antes', 'di el precio y calla', 'contrata despacio', 'contesta el teléfono'],
        problem: ['los pagos tardíos', 'las devoluciones', 'los envíos', 'los precios'],
      },
    },
    learning_educational: {
      lines: [
        '{nn} minutos con {subject} {when}, {method}.',
        'Mis alumnos preguntaron {question} y no supe qué decir.',
        '¿Alguien para estudiar {subject} los martes?',
        'Lo único que me funciona con {subject}: {method}.',
        '+¡Aprobé {subject}!',
        '-{subject} sigue siendo un misterio para mí.',
      ],
      words: {
        subject: ['estadística', 'química', 'historia medieval', 'japonés', 'álgebra', 'gramática'],
        method: ['tarjetas cada día', 'explicárselo al gato', 'exámenes viejos', 'leer en voz alta'],
        question: ['si el cero es par', 'por qué la luna se ve más grande', 'quién inventó los deberes'],
      },
    },
    other_hobbies: {
      lines: [
        'Terminé {project} {when}.',
        'Hoy vi {bird} antes de desayunar.',
        '{project}: falta la segunda mano de barniz.',
        '¿Qué haríais con una puerta vieja de roble?',
        '+¡Floreció {plant} después de {n} años!',
        '-Pulgones en {plant}. Otra vez.',
      ],
      words: {
        project: [
          'el taburete de nogal',
          'la maqueta',
          'la estantería',
          'la casita para pájaros',
          'la radio',
        ],
        bird: ['un martín pescador', 'dos abubillas', 'un búho', 'una garza'],
        plant: ['el limonero', 'la orquídea', 'el bonsái'],
      },
    },
  },
  words: { when: ['anoche', 'esta mañana', 'ayer', 'el fin de semana', 'hoy'] },
  closers: {
    positive: ['Qué alegría.', 'Me alegró el día.', 'Estoy feliz.', 'Vale la pena.', 'Día redondo.'],
    neutral: [
      '¿Opiniones?',
      '¿A alguien más le pasa?',
      'Ya os contaré.',
      'Se aceptan consejos.',
      'Lo dejo aquí.',
    ],
    negative: ['Vaya día.', 'Esperaba más.', 'Qué cansancio.', 'Nunca más.'],
  },
  replies: {
    positive: [
      '¡Qué bueno!',
      'Me encanta.',
      '¡Enhorabuena!',
      'Justo lo que necesitaba hoy.',
      'Totalmente de acuerdo.',
    ],
    neutral: [
      '¿Dónde es eso?',
      '¿Tienes un enlace?',
      'Buena pregunta.',
      '¿Cuánto tardaste?',
      'Yo lo haría al revés.',
    ],
    negative: ['Uf, lo siento mucho.', 'No lo veo, perdona.', 'A mí no me funcionó.'],
  },
  attachments: {
    image: ['Foto abajo.', 'Así quedó.', 'Aquí la prueba.'],
    video: ['Vídeo corto abajo.', 'Con sonido.'],
    article: ['Aquí lo explican bien.', 'Lectura larga, pero merece la pena.'],
  },
  spam: [
    '¡¡¡Seguidores GRATIS, entra en el enlace ya!!!',
    'Gana dinero desde casa, pregúntame cómo',
    'Solo hoy: cuentas premium con 90% de descuento',
  ],
  gap: ' ',
};
