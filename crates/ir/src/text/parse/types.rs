//! C types, enums and records.

use super::super::lexer::Token;
use super::super::words::{FLOAT_KINDS, INT_KINDS, value_of};
use super::{ParseError, Parser};
use crate::ctype::{
    ArrayLength, BitField, CType, EnumId, Enumeration, Field, FunctionType, Record, RecordId,
    RecordLayout,
};
use crate::program::LocalId;

impl Parser<'_> {
    /// All types, enums and records.
    pub fn ctypes(&mut self) -> Result<(), ParseError> {
        // Enums and records come later; types may mention them already.
        let (mut n_enums, mut n_records) = (0, 0);
        let mut line = 1;
        while self.accept_word("type") {
            let index = self.types.len();
            self.next_number("type", 't', index)?;
            self.sign("=")?;
            line = self.line();
            let ty = self.ctype()?;
            match ty {
                CType::Enum(id) => n_enums = n_enums.max(id.index() + 1),
                CType::Record(id) => n_records = n_records.max(id.index() + 1),
                _ => {}
            }
            if self.types.intern(ty).index() != index {
                return Err(ParseError::new(line, "this type has been given before"));
            }
        }
        while self.accept_word("enum") {
            self.enumeration()?;
        }
        loop {
            let is_union = match self.peek() {
                Some(Token::Word("struct")) => false,
                Some(Token::Word("union")) => true,
                _ => break,
            };
            self.at += 1;
            self.record(is_union)?;
        }
        if n_enums > self.types.n_enums() || n_records > self.types.n_records() {
            return Err(ParseError::new(
                line,
                "a type is an enum or record that is defined nowhere",
            ));
        }
        Ok(())
    }

    fn ctype(&mut self) -> Result<CType, ParseError> {
        if let Some(Token::Word(word)) = self.peek() {
            if let Some(kind) = value_of(INT_KINDS, word) {
                self.at += 1;
                return Ok(CType::Int(kind));
            }
            if let Some(kind) = value_of(FLOAT_KINDS, word) {
                self.at += 1;
                return Ok(CType::Float(kind));
            }
        }
        let word = self.word("a type")?;
        Ok(match word {
            "void" => CType::Void,
            "bool" => CType::Bool,
            "va_list" => CType::VaList,
            "enum" => CType::Enum(EnumId(self.numbered("enum", 'e', u32::MAX as usize)?)),
            "record" => CType::Record(RecordId(self.numbered("record", 'r', u32::MAX as usize)?)),
            "pointer" => CType::Pointer(self.type_id()?),
            "array" => {
                let element = self.type_id()?;
                let length = if self.accept_word("in") {
                    ArrayLength::Variable(LocalId(self.numbered(
                        "local",
                        '#',
                        u32::MAX as usize,
                    )?))
                } else if matches!(self.peek(), Some(Token::Number(_))) {
                    ArrayLength::Known(self.number("a length")?)
                } else {
                    ArrayLength::Unknown
                };
                CType::Array { element, length }
            }
            "fn" | "oldfn" => {
                self.sign("(")?;
                let mut params = Vec::new();
                let mut variadic = false;
                while !self.accept_sign(")") {
                    if self.accept_sign("...") {
                        variadic = true;
                        self.sign(")")?;
                        break;
                    }
                    params.push(self.type_id()?);
                    if !self.accept_sign(",") {
                        self.sign(")")?;
                        break;
                    }
                }
                self.sign("->")?;
                CType::Function(FunctionType {
                    ret: self.type_id()?,
                    params,
                    variadic,
                    prototype: word == "fn",
                })
            }
            _ => return self.error(format!("there is no type `{word}`")),
        })
    }

    fn enumeration(&mut self) -> Result<(), ParseError> {
        self.next_number("enum", 'e', self.types.n_enums())?;
        let tag = self.optional_text("a tag")?;
        let underlying = self.one_of("an integer type", INT_KINDS)?;
        let complete = !self.accept_word("incomplete");
        self.sign("{")?;
        let mut enumerators = Vec::new();
        while !self.accept_sign("}") {
            let name = self.text("an enumerator")?;
            self.sign("=")?;
            enumerators.push((name, self.number("a value")?));
        }
        self.types.add_enum(Enumeration {
            tag,
            underlying,
            enumerators,
            complete,
        });
        Ok(())
    }

    fn record(&mut self, is_union: bool) -> Result<(), ParseError> {
        self.next_number("record", 'r', self.types.n_records())?;
        let tag = self.optional_text("a tag")?;
        let layout = if self.accept_word("incomplete") {
            None
        } else {
            self.keyword("size")?;
            let size = self.number("a size")?;
            self.keyword("align")?;
            let align = self.number("an alignment")?;
            self.sign("{")?;
            let mut fields = Vec::new();
            while !self.accept_sign("}") {
                self.keyword("field")?;
                let name = self.optional_text("a name")?;
                self.sign(":")?;
                let ty = self.type_id()?;
                self.keyword("at")?;
                let offset = self.number("an offset")?;
                let bits = if self.accept_word("bits") {
                    Some(BitField {
                        offset: self.number("the first bit")?,
                        width: self.number("a number of bits")?,
                    })
                } else {
                    None
                };
                fields.push(Field {
                    name,
                    ty,
                    offset,
                    bits,
                });
            }
            Some(RecordLayout {
                fields,
                size,
                align,
            })
        };
        self.types.add_record(Record {
            is_union,
            tag,
            layout,
        });
        Ok(())
    }
}
