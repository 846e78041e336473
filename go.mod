module assize

go 1.26
