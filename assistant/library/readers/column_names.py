"""What databases, programs and people call the columns of a list of papers, in many languages.

Names are as ``columns.normal`` makes them: without case, dashes, dots and underscores. Within a
field they stand in the order of preference: of two columns, the first that says something is taken.
"""

from __future__ import annotations

NAMES: dict[str, tuple[str, ...]] = {
    "abstract": (
        *("abstract", "abstract note", "abstract text", "paper abstract", "article abstract"),
        *("abstract en", "abstract (english)", "abstract english", "english abstract", "abstracts"),
        *("abstract (en)", "abstract/summary", "abstract summary", "full abstract", "ab"),
        *(
            "abstracttext",
            "abstractnote",
            "abstract (original)",
            "abstract content",
            "abstract body",
            "the abstract",
        ),
        *("résumé", "resumé", "zusammenfassung", "kurzfassung", "resumen", "resumo", "riassunto"),
        *("samenvatting", "sammanfattning", "sammendrag", "tiivistelmä", "streszczenie"),
        *("abstrakt", "abstrak", "absztrakt", "összefoglalás", "rezumat", "resum", "özet"),
        *("аннотация", "реферат", "анотація", "περίληψη", "چکیده", "ملخص", "الملخص", "תקציר"),
        *("tóm tắt", "บทคัดย่อ", "सारांश"),
    ),
    "abstract_index": ("abstract inverted index", "inverted abstract", "indexed abstract"),
    "other_abstract": (
        *("original abstract", "abstract (original language)", "abstract 2", "second abstract"),
        *("abstract other language", "other abstract", "foreign abstract"),
    ),
    "title": (
        *("title", "article title", "document title", "paper title", "title primary"),
        *("primary title", "display name", "item title", "title (english)", "titles", "ti"),
        *("publication title full", "name of paper", "study title", "titre", "titel", "título"),
        *("titulo", "titolo", "tytuł", "titlu", "başlık", "otsikko", "cím", "název", "naslov"),
        *("название", "заглавие", "назва", "τίτλος", "عنوان", "العنوان", "judul", "tiêu đề"),
    ),
    "authors": (
        *("author full names", "authors full name", "full author names", "author full name"),
        *("authors", "author", "author/s", "author s", "author(s)", "authors primary"),
        *("author names", "authors name", "creators", "creator", "author list", "authorlist"),
        *("authorships author display name", "authorships raw author name", "authfullname"),
        *("authors name", "auteurs", "auteur", "auteur(s)", "autoren", "autor", "autores"),
        *("autori", "autorzy", "yazarlar", "yazar", "forfattere", "författare", "szerzők"),
        *("авторы", "автор", "автори", "συγγραφείς", "المؤلف", "penulis", "tác giả", "af", "au"),
    ),
    "year": (
        *("year", "publication year", "pub year", "pubyear", "published year", "year published"),
        *("publicationyear", "year of publication", "py", "produceddatey", "année", "jahr"),
        *("año", "ano", "anno", "rok", "yıl", "år", "év", "год", "рік", "έτος", "tahun", "năm"),
        *("publication date", "date published", "date of publication", "publish date"),
        *("published date", "publish time", "published", "pubdate", "pub date", "cover date"),
        *("date", "issued", "issue date", "datum", "fecha", "publication date (print)", "pd"),
    ),
    "venue": (
        *("source title", "journal", "journal/book", "publication title", "journal title"),
        *("journal name", "publication name", "venue", "periodical full", "container title"),
        *("primary location source display name", "host venue display name", "periodical"),
        *("journal/conference", "journal or conference", "source publication", "pubtitle"),
        *("secondary title", "title secondary", "parent title", "conference name", "conference"),
        *("book title", "booktitle", "proceedings title", "proceedings", "anthology title"),
        *("publication", "zeitschrift", "zeitschrift/zeitung", "revue", "revista", "rivista"),
        *("tijdschrift", "tidsskrift", "czasopismo", "dergi", "журнал", "журнал/издание"),
        *("so", "jn", "jt", "jf", "journal ref", "journaltitle", "journal full title"),
    ),
    "doi": (
        *("doi", "digital object identifier", "digitalobjectidentifier", "ids doi"),
        *("article doi", "di", "doi link", "doi url", "crossref doi", "item doi", "doi name"),
        *("doiid", "externalids doi", "doi number", "doi/url", "publication doi", "paper doi"),
    ),
    "url": (
        *("url", "link", "article url", "articleurl", "external url", "paper url", "paper link"),
        *("primary location landing page url", "landing page url", "links", "permalink", "plink"),
        *("source url", "source urls", "full text link", "full text url", "fulltext url"),
        *("pdf link", "pdf url", "document link", "document url", "open access link", "entry id"),
        *("dimensions url", "source linkout", "uri", "urls", "web link", "lien", "website", "ur"),
    ),
    "pmid": (
        *("pmid", "pubmed id", "medline pmid", "ids pmid", "pubmedid", "pubmed", "pubmed pmid"),
        *("pm", "externalids pubmed", "pubmed number"),
    ),
    "arxiv_id": (
        *("arxiv id", "arxiv", "arxivid", "eprint", "arxiv number", "externalids arxiv"),
        *("arxiv identifier", "arxiv url", "arxiv link"),
    ),
    "keywords": (
        *("author keywords", "keywords", "keyword", "key words", "keywords display name"),
        *("keywords author", "manual tags", "identifier keywords", "keywords plus"),
        *("index keywords", "subjects", "subject terms", "subject headings", "mesh terms"),
        *("mesh headings", "mesh", "automatic tags", "ieee terms", "index terms", "terms"),
        *("descriptor(s)", "descriptors", "categories", "tags", "de", "kw", "mots clés"),
        *("mot clé", "schlagwörter", "schlagworte", "stichwörter", "palabras clave"),
        *("palavras chave", "parole chiave", "trefwoorden", "słowa kluczowe"),
        *("anahtar kelimeler", "ключевые слова", "ключові слова", "kata kunci"),
        *("emtree medical index terms (major focus)", "emtree drug index terms (major focus)"),
        *("subject", "concepts display name", "fields of study", "topics", "primary category"),
    ),
    "language": (
        *("language", "language of original document", "article language", "languages", "lang"),
        *("langue", "sprache", "idioma", "lingua", "taal", "dil", "язык", "la", "output language"),
        *("document language",),
    ),
    "type": (
        *("document type", "item type", "publication type", "reference type", "doctype"),
        *("bibliographytype", "entry type", "entrytype", "document types", "type crossref"),
        *("type", "dt", "article type", "record type", "document identifier", "content type"),
        *("typename", "type of work", "type of reference", "pt", "typ"),
    ),
    "volume": ("volume", "vol", "volume number", "journal volume", "vl", "biblio volume"),
    "issue": (
        *("issue", "issue number", "issue no", "journal issue", "number", "is", "biblio issue"),
        *("no",),
    ),
    "first_page": (
        *("start page", "first page", "page start", "startpage", "beginning page", "bp"),
        *("biblio first page", "article number", "article no", "art no"),
    ),
    "last_page": (
        *("end page", "last page", "page end", "endpage", "ending page", "ep", "other pages"),
        *("biblio last page",),
    ),
    "page": ("pages", "page", "page range", "pagination", "page numbers"),
    "publisher": ("publisher", "publisher name", "book publisher", "pu", "verlag", "editorial"),
    "ISSN": (
        *("issn", "issns", "issn (print)", "print issn", "issn/isbn", "issn isbn", "sn"),
        *("primary location source issn l", "eissn"),
    ),
    "ISBN": ("isbn", "isbns", "isbn (print)", "bn"),
    "citation-key": ("citation key", "citekey", "cite key", "bibtex key", "bibtexkey"),
    "other_abstracts": ("other abstracts",),
    "extra": ("extra",),
    "ids": ("externalids", "external ids", "ids", "identifiers", "external identifiers"),
}

# Used only where no column of a better name is there: they often mean something else.
LAST: dict[str, tuple[str, ...]] = {
    "abstract": ("summary", "summaries", "article summary", "paper summary"),
    "title": ("original title", "chapter title", "name", "paper", "paper name", "article"),
    "authors": ("contributors", "first author", "book author", "book authors", "editors"),
    "year": (
        *("online date", "publication date (online)", "early access date", "update date"),
        *("updated", "created", "create date", "date created", "submitted date", "submitted"),
        *("entry date",),
    ),
    "venue": ("source", "series title", "book series title", "series"),
}

# The part of a name that is written in Chinese, Japanese or Korean.
EASTERN: dict[str, str] = {
    **dict.fromkeys(("摘要", "中文摘要", "文摘", "内容摘要", "內容摘要", "论文摘要"), "abstract"),
    **dict.fromkeys(("要旨", "抄録", "要約", "和文抄録", "概要", "초록", "요약"), "abstract"),
    **dict.fromkeys(("英文摘要", "外文摘要", "英文抄録", "영문초록"), "other_abstract"),
    **dict.fromkeys(("题名", "題名", "标题", "標題", "篇名", "题目", "題目", "中文题名"), "title"),
    **dict.fromkeys(("论文题目", "论文标题", "论文题名", "文献标题", "文献题名"), "title"),
    **dict.fromkeys(("文章标题", "タイトル", "論題", "論文名", "제목", "논문명"), "title"),
    **dict.fromkeys(
        ("作者", "著者", "著者名", "作者姓名", "全部作者", "저자", "저자명"), "authors"
    ),
    **dict.fromkeys(("刊名", "期刊", "文献来源", "来源", "期刊名称", "出版物名称"), "venue"),
    **dict.fromkeys(("雑誌名", "掲載誌", "資料名", "학술지명", "학술지", "期刊名"), "venue"),
    **dict.fromkeys(("年", "年份", "发表时间", "出版年", "发表年份", "出版年份", "年度"), "year"),
    **dict.fromkeys(("发表日期", "出版日期", "刊行年", "発行年", "연도", "발행년도"), "year"),
    **dict.fromkeys(("关键词", "關鍵詞", "关键字", "中文关键词", "主题词"), "keywords"),
    **dict.fromkeys(("キーワード", "키워드", "주제어"), "keywords"),
    **dict.fromkeys(("语种", "語種", "语言", "語言", "言語", "언어"), "language"),
    **dict.fromkeys(("网址", "链接", "鏈接"), "url"),
    **dict.fromkeys(("卷",), "volume"),
    **dict.fromkeys(("期", "期号"), "issue"),
    **dict.fromkeys(("页码", "頁碼", "页", "ページ"), "page"),
}
