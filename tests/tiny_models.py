"""Models of a few thousand weights, drawn by chance: they load and run as real ones do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

WORDS = [
    "query",
    "passage",
    "own",
    ":",
    "a",
    "b",
    "the",
    "of",
    "protein",
    "binder",
    "design",
    "diffusion",
    "model",
    "moss",
    "graph",
    "question",
    "number",
    "zebra",
    "fish",
    "word",
    "one",
    "two",
    "three",
]
WIDTH = 32
POSITIONS = 48


def _tokenizer(folder: Path) -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,"
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    pieces += [c for c in letters if c not in pieces] + [f"##{c}" for c in letters]
    plain = Tokenizer(
        models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]")
    )
    plain.normalizer = normalizers.BertNormalizer()
    plain.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    plain.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=plain,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=POSITIONS,
    )
    tokenizer.save_pretrained(folder)
    return tokenizer


def _config(tokenizer: Any, **more: Any) -> Any:
    from transformers import BertConfig

    return BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=2 * WIDTH,
        max_position_embeddings=POSITIONS,
        initializer_range=0.5,
        **more,
    )


def tiny_embedder(folder: Path, prompts: dict[str, str] | None = None) -> Path:
    """Make an embedder in ``folder``, as hubs keep them; ``prompts`` are those of its own."""
    import torch
    from transformers import BertModel

    folder.mkdir(parents=True)
    torch.manual_seed(3)
    BertModel(_config(_tokenizer(folder))).save_pretrained(folder)
    module = "sentence_transformers.models."
    files: dict[str, Any] = {
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": f"{module}Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{module}Pooling"},
        ],
        "1_Pooling/config.json": {"word_embedding_dimension": WIDTH, "pooling_mode_cls_token": True}
        | {"pooling_mode_mean_tokens": False},
        "sentence_bert_config.json": {"max_seq_length": POSITIONS, "do_lower_case": False},
    }
    if prompts is not None:
        files["config_sentence_transformers.json"] = {
            "prompts": prompts,
            "default_prompt_name": "document",
        }
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(data), "utf-8")
    return folder


def tiny_reranker(folder: Path, labels: int = 1) -> Path:
    """Make a cross-encoder in ``folder``; one with several labels is no reranker."""
    import torch
    from transformers import BertForSequenceClassification

    folder.mkdir(parents=True)
    torch.manual_seed(5)
    config = _config(_tokenizer(folder), num_labels=labels)
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder
