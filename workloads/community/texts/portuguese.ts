/** Portuguese. */

import type { Phrasebook } from './phrasebook.ts';

export const portuguese: Phrasebook = {
  topics: {
    gaming: {
      lines: [
        'Finalmente venci {boss} em {game}, {n} tentativas.',
        'Alguém para jogar {game} {when}?',
        '{game} com amigos é outra coisa.',
        'Já são {nn} horas em {game} e só pesquei.',
        '+A trilha de {game} é linda demais.',
        '-{game} apagou meu save depois de {nn} horas.',
      ],
      words: {
        game: ['Hollow Orchard', 'Tidebreak', 'Lanternfall', 'Paper Titans', 'Mosswick', 'Starfreight 2'],
        boss: ['o chefe de gelo', 'as gêmeas do capítulo sete', 'o último farol'],
        when: ['hoje à noite', 'no sábado', 'domingo à tarde', 'depois das dez'],
      },
    },
    music: {
      lines: [
        'Não paro de ouvir {record}.',
        'Ensaio {when}: {part} finalmente funciona.',
        'O que toco depois de {record}?',
        'Aprendendo {piece} no violão velho.',
        '+{record} em vinil é um abraço.',
        '-Quebrou uma corda bem quando vinha {part}.',
      ],
      words: {
        record: [
          '"Sal e Cinza"',
          '"Canções de Quintal"',
          '"Disco das Marés"',
          '"Rádio Cozinha"',
          '"Ônibus Noturno"',
        ],
        part: ['o refrão', 'a segunda estrofe', 'a ponte', 'a linha de baixo'],
        piece: ['um choro', 'uma bossa', 'uma valsa', 'um samba-canção', 'um fado'],
      },
    },
    science_technology: {
      lines: [
        'Hoje li sobre {subject}, fascinante.',
        'O dia inteiro caçando {bug}.',
        'Um bom livro para começar com {subject}?',
        'Hoje à noite dá para ver {sky}.',
        '+{sky} com telescópio caseiro, e deu certo!',
        '-O servidor caiu por causa de {bug}.',
      ],
      words: {
        subject: ['marés', 'micróbios', 'genética', 'compiladores', 'baterias', 'fungos'],
        bug: ['uma vírgula', 'um vazamento de memória', 'um certificado vencido', 'um cabo solto'],
        sky: ['Saturno', 'a nebulosa de Órion', 'um cometa', 'Júpiter'],
      },
    },
    food_dining: {
      lines: [
        'Fiz {dish} {when}, com {thing}.',
        'O segredo: {thing}.',
        'Aqui em casa {dish} leva {thing}. E na sua?',
        'Domingo é dia de {dish}.',
        '+Melhor {dish} da minha vida, na feira.',
        '-Queimei tudo. Adeus, {dish}.',
      ],
      words: {
        dish: ['pão de queijo', 'moqueca', 'feijoada', 'bacalhau', 'caldo verde', 'tapioca', 'arroz de pato'],
        thing: ['coentro', 'muito alho', 'azeite de dendê', 'raspas de limão', 'louro', 'pimenta'],
      },
    },
    sports: {
      lines: [
        '{score} com {moment}. Que jogo.',
        'Treino {when}: {drill}.',
        'Faltam {n} pessoas para fechar o {sport}.',
        'Voltei para o {sport} depois de {n} meses.',
        '+Recorde pessoal nos 10 km: {nn} minutos!',
        '-Perdemos com {moment}.',
      ],
      words: {
        score: ['3 a 2', '1 a 0', '2 a 2', '78 a 77'],
        moment: ['um pênalti', 'gol nos acréscimos', 'uma defesa incrível', 'uma cesta no fim'],
        drill: ['tiros na subida', 'saques', 'passe e movimentação', 'técnica na chuva'],
        sport: ['futsal', 'vôlei', 'basquete', 'handebol'],
      },
    },
    travel_adventure: {
      lines: [
        'Amanhecer em {place}: {weather}.',
        '{n} horas de {transport} até {place}.',
        'O que não posso perder em {place}?',
        'Mochila pronta, amanhã é {place}.',
        '+{place} é ainda melhor ao vivo.',
        '-Fiquei sem {transport} e durmo na rodoviária.',
      ],
      words: {
        place: ['Ouro Preto', 'Évora', 'Olinda', 'Paraty', 'Sintra', 'Coimbra'],
        weather: ['neblina e silêncio', 'nenhuma nuvem', 'vento e café quente', 'garoa fina'],
        transport: ['ônibus', 'trem', 'barco', 'carona'],
      },
    },
    film_tv_video: {
      lines: [
        'Revi {film} {when}.',
        'O melhor em {film}: {detail}.',
        'Uma série para quem gostou de {film}?',
        'Editando o curta: {detail} muda tudo.',
        '+{film} me fez rir e chorar.',
        '-Larguei {film} na metade.',
      ],
      words: {
        film: ['"A Última Balsa"', '"Ladrões Comuns"', '"Seu Pombo"', '"A Suplente"', '"Noite no Aquário"'],
        detail: ['o som', 'a luz', 'o silêncio final', 'o plano longo na cozinha', 'a avó'],
      },
    },
    fitness_health: {
      lines: [
        'Semana {n} de {habit}: {effect}.',
        'Hoje foi dia de {exercise}, {nn} minutos.',
        'Como vocês conseguem {habit} no inverno?',
        'Lembrete: beba água e alongue o pescoço.',
        '+{nn} dias de {habit} e {effect}.',
        '-Duas semanas sem {exercise} e o corpo cobra.',
      ],
      words: {
        habit: ['caminhar até o trabalho', 'dormir cedo', 'alongar de manhã', 'jantar leve'],
        effect: ['durmo melhor', 'as costas agradecem', 'subo escadas sem pensar', 'por enquanto, nada'],
        exercise: ['ioga', 'natação', 'musculação', 'bicicleta'],
      },
    },
    arts_culture: {
      lines: [
        'Estudo {nn}: {subject}, {medium}.',
        'Uma hora inteira olhando {subject}.',
        'Caderno, página {nn}: {subject}.',
        'Quem mais trabalha com {medium}?',
        '+Vendi minha primeira obra: {subject} em {medium}!',
        '-Derramei café em cima: era {subject}.',
      ],
      words: {
        subject: [
          'três peras',
          'uma piscina vazia',
          'as mãos da minha avó',
          'uns pombos',
          'a escada ao meio-dia',
        ],
        medium: ['xilogravura', 'aquarela', 'carvão', 'nanquim', 'cerâmica'],
      },
    },
    business_entrepreneurs: {
      lines: [
        'Mês {n} e {metric}.',
        'Lição da semana: {lesson}.',
        'Como vocês resolvem {problem}?',
        'Conversei com {nn} clientes sobre {problem}.',
        '+{company} já dá lucro. Pouco, mas real.',
        '-Mais uma semana perdida com {problem}.',
      ],
      words: {
        company: ['a padaria', 'a oficina', 'nosso app', 'a livraria', 'o estúdio'],
        metric: [
          'quarenta clientes',
          'o dobro de pedidos',
          'menos vendas, mais margem',
          'dois meses de caixa',
        ],
        lesson: ['cobre antes', 'diga o preço e espere', 'contrate devagar', 'atenda o telefone'],
        problem: ['pagamentos atrasados', 'devoluções', 'frete', 'preços'],
      },
    },
    learning_educational: {
      lines: [
        '{nn} minutos de {subject} {when}, {method}.',
        'Meus alunos perguntaram {question} e eu não soube responder.',
        'Alguém para estudar {subject} às terças?',
        'Só uma coisa funciona com {subject}: {method}.',
        '+Passei em {subject}!',
        '-{subject} continua um mistério.',
      ],
      words: {
        subject: ['estatística', 'química', 'história medieval', 'alemão', 'álgebra', 'gramática'],
        method: ['cartões todo dia', 'explicar para o gato', 'provas antigas', 'ler em voz alta'],
        question: ['se zero é par', 'por que a lua parece maior', 'quem inventou a lição de casa'],
      },
    },
    other_hobbies: {
      lines: [
        'Terminei {project} {when}.',
        'Hoje vi {bird} antes do café.',
        '{project}: falta a segunda demão de verniz.',
        'O que vocês fariam com uma porta velha?',
        '+{plant} deu flor depois de {n} anos!',
        '-Pulgões outra vez. Coitada: {plant}.',
      ],
      words: {
        project: ['o banquinho de madeira', 'a maquete', 'a estante', 'a casinha de passarinho', 'o rádio'],
        bird: ['um martim-pescador', 'dois tucanos', 'uma coruja', 'uma garça'],
        plant: ['a orquídea', 'a jabuticabeira', 'a roseira'],
      },
    },
  },
  words: { when: ['ontem à noite', 'hoje cedo', 'ontem', 'no fim de semana', 'hoje'] },
  closers: {
    positive: ['Que alegria.', 'Ganhei o dia.', 'Estou feliz.', 'Valeu a pena.', 'Que dia bom.'],
    neutral: ['O que acham?', 'Mais alguém?', 'Depois eu conto.', 'Aceito dicas.', 'Fica o registro.'],
    negative: ['Que dia.', 'Esperava mais.', 'Cansei.', 'Nunca mais.'],
  },
  replies: {
    positive: ['Que lindo!', 'Adorei.', 'Parabéns!', 'Era o que eu precisava hoje.', 'Concordo demais.'],
    neutral: ['Onde é isso?', 'Tem link?', 'Boa pergunta.', 'Quanto tempo levou?', 'Eu faria ao contrário.'],
    negative: ['Nossa, que pena.', 'Discordo, desculpa.', 'Comigo não funcionou.'],
  },
  attachments: {
    image: ['Foto abaixo.', 'Ficou assim.', 'A prova está aqui.'],
    video: ['Vídeo curto abaixo.', 'Com som.'],
    article: ['Aqui explicam bem.', 'Texto longo, mas vale o café.'],
  },
  spam: [
    'Seguidores GRÁTIS, clica no link agora!!!',
    'Ganhe dinheiro em casa, me pergunte como',
    'Só hoje: contas premium com 90% de desconto',
  ],
  gap: ' ',
};
