" Colours of CHARLI scripts. Made by editors/textmate/make_grammar.py; edit charli.in.vim instead.
if exists("b:current_syntax")
  finish
endif

syntax case match
syntax iskeyword 48-57,65-90,97-122,_

syntax match charliUnknown "[^ \t]"
syntax match charliDelimiter "[][(){},;.]"
syntax match charliOperator "[-+*/<>=?:]\|[!=<>]=\|\.\."
syntax match charliName "[A-Za-z_][A-Za-z0-9_]*"
syntax match charliNumber "\%(\d\+\%(\.\d\+\)\?\|\.\d\+\)\%([eE][-+]\?\d\+\)\?"
syntax match charliString +"[^"\r]*"+
syntax match charliOpenString +"[^"\r]*$+
syntax match charliComment "#.*$" contains=@Spell
syntax region charliComment start="/\*" end="\*/" contains=@Spell

" Behind a number a unit needs no blank.
syntax match charliUnit "\d\@<=\%(@UNITS:\|@\)\>"
syntax keyword charliDeclaration @DECLARING@
syntax keyword charliKeyword @KEYWORDS@
syntax keyword charliConstant @CONSTANTS@
syntax keyword charliUnit @UNITS@
syntax keyword charliEasing @EASINGS@
syntax keyword charliWord @WORDS@
syntax match charliDefinition "\%(\<def\s\+\)\@<=[A-Za-z_]\w*"

highlight default link charliUnknown Error
highlight default link charliOpenString Error
highlight default link charliOperator Operator
highlight default link charliDelimiter Delimiter
highlight default link charliNumber Number
highlight default link charliString String
highlight default link charliComment Comment
highlight default link charliDeclaration StorageClass
highlight default link charliKeyword Keyword
highlight default link charliConstant Constant
highlight default link charliUnit Type
highlight default link charliEasing Special
highlight default link charliWord Function
highlight default link charliDefinition Identifier

let b:current_syntax = "charli"
